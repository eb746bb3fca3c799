; Square lattice of ceramic rods cast in a polymer, in-plane propagation.
; Lengths in units of the pitch a (a = 10.0 mm), frequencies in units of c/a.
; usage:  mpb rods.ctl

(define-param r 0.25)        ; radius of the rods
(define-param eps-rod 9.0)   ; dielectric constant of the ceramic
(define-param eps-bg 2.0)    ; dielectric constant of the polymer

(set! geometry-lattice (make lattice (size 1 1 no-size)))
(set! default-material (make dielectric (epsilon eps-bg)))
(set! geometry (list
  (make cylinder (center 0 0 0) (radius r) (height infinity)
        (material (make dielectric (epsilon eps-rod))))))

; Gamma - X - M - Gamma
(set! k-points (list (vector3 0 0 0)
                     (vector3 0.5 0 0)
                     (vector3 0.5 0.5 0)
                     (vector3 0 0 0)))
(set! k-points (interpolate 3 k-points))

(set! resolution 32)
(set! num-bands 5)

(run-te)
(run-tm)
