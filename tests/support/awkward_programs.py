"""What real programs print again and again, as they printed it (lines of no matter left out); cases as in awkward_texts."""

from __future__ import annotations

from awkward_texts import Case

#: Meep: a heading that begins as its rows do, complex numbers, and rows of two numbers below no heading
MEEP = """\
harminv0:, frequency, imag. freq., Q, |amp|, amplitude, error
harminv0:, 0.11806, -0.00075335, 78.35692, 0.00349605, -0.00317827-0.00145637i, 1.3539e-05+0.0i
harminv0:, 0.147187, -0.000306068, 240.447945, 0.0298389, 0.0197848-0.0223366i, 1.94347e-06+0.0i
harminv0:, 0.175214, -9.37179e-06, 9347.96419, 0.00700099, -0.000939584-0.00693765i, 1.49072e-05+0.0i
harminv0:, 0.193384, -0.000264978, 364.90472, 3.65543e-05, -3.63347e-05+4.00104e-06i, 0.000791589+0.0i
run 0 finished at t = 300.0 (6000 timesteps)
energy:, 301.0, 0.213602
energy:, 302.0, 0.21315
energy:, 303.0, 0.212103
energy:, 304.0, 0.211815
run 1 finished at t = 304.0 (6080 timesteps)
"""
MEEP_2 = """\
harminv0:, frequency, imag. freq., Q, |amp|, amplitude, error
harminv0:, 0.128687, -0.00124382, 51.73065, 0.0115449, 0.0112487+0.00259849i, 2.38207e-05+0.0i
harminv0:, 0.160639, -0.000420557, 190.983859, 0.0272394, -0.0263869+0.00676118i, 4.88184e-07+0.0i
harminv0:, 0.191607, -0.000161034, 594.92788, 0.00107524, 0.000953946-0.000496118i, 8.02604e-06+0.0i
run 0 finished at t = 300.0 (6000 timesteps)
energy:, 301.0, 0.091654
energy:, 302.0, 0.0915334
energy:, 303.0, 0.0909986
energy:, 304.0, 0.0901787
run 1 finished at t = 304.0 (6080 timesteps)
"""

#: xtb: a table of iterations and labelled numbers in every cycle
XTB = """\
.............................. CYCLE    1 ..............................
........................................................................
   1     -5.1058519 -0.510585E+01  0.831E-08   14.69       0.0  T
   2     -5.1058519  0.000000E+00  0.410E-08   14.69  100000.0  T
   3     -5.1058519  0.888178E-15  0.126E-08   14.69  100000.0  T
 * total energy  :    -5.0703759 Eh     change       -0.1838529E-12 Eh
   gradient norm :     0.0077946 Eh/a   predicted     0.0000000E+00 (-100.00%)
   displ. norm   :     0.0245190 a      lambda       -0.1859770E-03
........................................................................
.............................. CYCLE    2 ..............................
........................................................................
   1     -5.1048225 -0.510482E+01  0.486E-02   14.47       0.0  T
   2     -5.1048225 -0.420301E-07  0.285E-02   14.47       2.0  T
   3     -5.1048225 -0.837750E-08  0.160E-03   14.47      36.1  T
   4     -5.1048225 -0.138384E-08  0.337E-04   14.47     171.5  T
   5     -5.1048225 -0.132516E-11  0.185E-05   14.47    3126.1  T
 * total energy  :    -5.0705048 Eh     change       -0.1289518E-03 Eh
   gradient norm :     0.0036666 Eh/a   predicted    -0.9304459E-04 ( -27.85%)
   displ. norm   :     0.0191731 a      lambda       -0.6359832E-04
........................................................................
"""
XTB_2 = """\
.............................. CYCLE    1 ..............................
........................................................................
   1     -5.0953744 -0.509537E+01  0.321E-07   13.14       0.0  T
   2     -5.0953744  0.266454E-14  0.117E-07   13.14  100000.0  T
   3     -5.0953744 -0.888178E-15  0.371E-08   13.14  100000.0  T
 * total energy  :    -5.0691869 Eh     change       -0.8881784E-15 Eh
   gradient norm :     0.0421452 Eh/a   predicted     0.0000000E+00 (-100.00%)
   displ. norm   :     0.0569982 a      lambda       -0.1986718E-02
........................................................................
.............................. CYCLE    2 ..............................
........................................................................
   1     -5.1025783 -0.510258E+01  0.193E-01   14.11       0.0  T
   2     -5.1025823 -0.397143E-05  0.109E-01   14.09       1.0  T
   3     -5.1025830 -0.701117E-06  0.180E-02   14.09       3.2  T
   4     -5.1025831 -0.106030E-06  0.441E-03   14.09      13.1  T
   5     -5.1025831 -0.147319E-08  0.216E-04   14.09     267.7  T
   6     -5.1025831 -0.857714E-11  0.433E-05   14.09    1332.5  T
 * total energy  :    -5.0704570 Eh     change       -0.1270075E-02 Eh
   gradient norm :     0.0117504 Eh/a   predicted    -0.9965849E-03 ( -21.53%)
   displ. norm   :     0.0175988 a      lambda       -0.1864966E-03
"""

#: MOPAC: several labels on every line, one of them with an amount in it
MOPAC = """\
          DIAGONAL MATRIX USED AS START HESSIAN
 CYCLE:     1 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     1.842 HEAT: -57.79476
 CYCLE:     2 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     2.268 HEAT: -57.79725
 CYCLE:     3 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.575 HEAT: -57.79960
 CYCLE:     4 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.019 HEAT: -57.79986

     GEOMETRY OPTIMISED USING EIGENVECTOR FOLLOWING (EF).

          FINAL HEAT OF FORMATION =        -57.79986 KCAL/MOL
"""
MOPAC_2 = """\
          DIAGONAL MATRIX USED AS START HESSIAN
 CYCLE:     1 TIME:   0.012 TIME LEFT:  2.00D  GRAD.:    85.505 HEAT: -52.45332
 CYCLE:     2 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:    65.530 HEAT: -54.04527
 CYCLE:     3 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:    12.662 HEAT: -57.54686
 CYCLE:     4 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     9.977 HEAT: -57.75107
 CYCLE:     5 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.537 HEAT: -57.79947
 CYCLE:     6 TIME:   0.000 TIME LEFT:  2.00D  GRAD.:     0.018 HEAT: -57.79986

     GEOMETRY OPTIMISED USING EIGENVECTOR FOLLOWING (EF).

          FINAL HEAT OF FORMATION =        -57.79986 KCAL/MOL
"""

#: LAMMPS: two runs, each with sentences of several numbers
LAMMPS = """\
Setting up Verlet run ...
Loop time of 0.0441855 on 1 procs for 300 steps with 256 atoms
Performance: 2346.469 ns/day, 0.010 hours/ns, 6789.553 timesteps/s
Nlocal:        256.000 ave         256 max         256 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Nghost:        1508.00 ave        1508 max        1508 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Histogram: 1 0 0 0 0 0 0 0 0 0
Dangerous builds = 0
Setting up Verlet run ...
Loop time of 0.409295 on 1 procs for 800 steps with 256 atoms
Performance: 675.503 ns/day, 0.036 hours/ns, 1954.580 timesteps/s
Nlocal:        256.000 ave         256 max         256 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Nghost:        2167.00 ave        2167 max        2167 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Histogram: 1 0 0 0 0 0 0 0 0 0
Dangerous builds = 0
"""
LAMMPS_2 = """\
Setting up Verlet run ...
Loop time of 0.0929454 on 1 procs for 400 steps with 256 atoms
Performance: 1487.325 ns/day, 0.016 hours/ns, 4303.601 timesteps/s
Nlocal:        256.000 ave         256 max         256 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Nghost:        1467.00 ave        1467 max        1467 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Histogram: 1 0 0 0 0 0 0 0 0 0
Dangerous builds = 0
Setting up Verlet run ...
Loop time of 0.372459 on 1 procs for 800 steps with 256 atoms
Performance: 742.310 ns/day, 0.032 hours/ns, 2147.889 timesteps/s
Nlocal:        256.000 ave         256 max         256 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Nghost:        2155.00 ave        2155 max        2155 min
Histogram: 1 0 0 0 0 0 0 0 0 0
Histogram: 1 0 0 0 0 0 0 0 0 0
Dangerous builds = 0
"""

#: Gmsh: one word before all sorts of numbers
GMSH = """\
Info    : [100%] Meshing curve 13 (Line)
Info    : Meshing 2D...
Info    : [ 50%] Meshing surface 3 (Plane, Frontal-Delaunay)
Info    : [ 80%] Meshing surface 4 (Plane, Frontal-Delaunay)
Info    : Done meshing 2D (Wall 0.0372826s, CPU 0.012613s)
Info    : 842 nodes 1757 elements
Info    : Writing 'wall.msh'...
"""
GMSH_2 = """\
Info    : [100%] Meshing curve 13 (Line)
Info    : Meshing 2D...
Info    : [ 50%] Meshing surface 3 (Plane, Frontal-Delaunay)
Info    : [ 80%] Meshing surface 4 (Plane, Frontal-Delaunay)
Info    : Done meshing 2D (Wall 0.0195311s, CPU 0.006358s)
Info    : 398 nodes 847 elements
Info    : Writing 'wall2.msh'...
"""

#: ngspice: results that end in more numbers, or do not
NGSPICE = """\
  Measurements for Transient Analysis

t10                 =   1.10374e-05
t50                 =   6.98159e-05
vmax                =  9.999544e-01 at=  1.000000e-03
vav                 =  8.995046e-01 from=  0.000000e+00 to=  1.000000e-03
"""
NGSPICE_2 = """\
  Measurements for Transient Analysis

t10                 =   1.63044e-05
t50                 =   1.04472e-04
vmax                =  9.987231e-01 at=  1.000000e-03
vav                 =  8.496916e-01 from=  0.000000e+00 to=  1.000000e-03
"""

#: nec2c: a heading that says the label of the number below it
NEC = """\
                               --------- FREQUENCY --------
                                FREQUENCY : 1.3800E+01 MHz
                        --------- ANTENNA INPUT PARAMETERS ---------
  TAG   SEG       VOLTAGE (VOLTS)         CURRENT (AMPS)         IMPEDANCE (OHMS)        ADMITTANCE (MHOS)     POWER
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY     REAL      IMAGINARY    REAL       IMAGINARY   (WATTS)
    1    11  1.0000E+00  0.0000E+00  6.4336E-03  7.0104E-03  7.1061E+01 -7.7432E+01  6.4336E-03  7.0104E-03  3.2168E-03
                               --------- FREQUENCY --------
                                FREQUENCY : 1.3900E+01 MHz
                        --------- ANTENNA INPUT PARAMETERS ---------
  TAG   SEG       VOLTAGE (VOLTS)         CURRENT (AMPS)         IMPEDANCE (OHMS)        ADMITTANCE (MHOS)     POWER
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY     REAL      IMAGINARY    REAL       IMAGINARY   (WATTS)
    1    11  1.0000E+00  0.0000E+00  7.3846E-03  6.9047E-03  7.2251E+01 -6.7556E+01  7.3846E-03  6.9047E-03  3.6923E-03
                               --------- FREQUENCY --------
                                FREQUENCY : 1.4000E+01 MHz
                        --------- ANTENNA INPUT PARAMETERS ---------
  TAG   SEG       VOLTAGE (VOLTS)         CURRENT (AMPS)         IMPEDANCE (OHMS)        ADMITTANCE (MHOS)     POWER
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY     REAL      IMAGINARY    REAL       IMAGINARY   (WATTS)
    1    11  1.0000E+00  0.0000E+00  8.4188E-03  6.6138E-03  7.3451E+01 -5.7703E+01  8.4188E-03  6.6138E-03  4.2094E-03
"""

#: scipy from a script: tabs between fields, remarks between lines, bars between names and values
TABS = """\
step:\tx\ty\tcost
step:\t-1.017410\t1.074527\t4.2252e+00
step:\t-1.027020\t1.068359\t4.1273e+00
step:\t-0.025717\t-0.020014\t1.0948e+00
step:\t0.004340\t-0.024177\t1.0499e+00
  accepted
step:\t0.135446\t-0.020164\t8.9575e-01
  accepted
step:\t0.164099\t0.008489\t7.3273e-01
  accepted
step:\t0.308090\t0.067477\t5.5405e-01
BEST | x | 0.999996 | y | 0.999993
nit 36
"""
TABS_2 = """\
step:\tx\ty\tcost
step:\t-1.017203\t1.074542\t4.6413e+00
step:\t-1.026795\t1.068308\t4.5429e+00
step:\t-0.107110\t0.010472\t1.4572e+00
step:\t0.051905\t-0.026389\t1.1831e+00
  accepted
step:\t0.138311\t-0.015626\t1.0456e+00
  accepted
step:\t0.251660\t0.067433\t7.2136e-01
  accepted
step:\t0.329416\t0.094721\t6.1283e-01
BEST | x | 1.099996 | y | 1.209992
nit 37
"""

#: GetDP: an index before the label
GETDP = """\
Info    : Generate[A]
Info    : Solve[A]
Info    : N: 842 - preonly lu mumps
Info    :   0 KSP Residual norm 1.862843109086e+01
Info    :   1 KSP Residual norm 1.295738741771e-13
Info    : SaveSolution[A]
Info    : (Wall = 0.647774s, CPU = 0.071927s, Mem = 55.0977Mb)
E n d   P r o c e s s i n g
P o s t - P r o c e s s i n g . . .
Info    : NameOfSystem not set in PostProcessing: selected 'A'
Info    : Selected PostProcessing 'Heat'
Info    : Selected Mesh 'wall.msh'
Info    : PostOperation 1/4
          > 'joint.txt'
Info    : Initializing rapid search grid...
Info    : ...done: 20x20x1
Info    : PostOperation 2/4
"""

#: cdo infon: as many columns as there are values
CDO = """\
    -1 :       Date     Time   Level Gridsize    Miss :     Minimum        Mean     Maximum : Parameter name
     1 : 0001-01-01 00:00:00       0        8       0 :     0.19755     0.62860     0.91165 : random
    -2 :       Date     Time   Level Gridsize    Miss :     Minimum        Mean     Maximum : Parameter name
     1 : 0001-01-01 00:00:00       0        8       0 :     0.27777     0.58558     0.95223 : random
    -3 :       Date     Time   Level Gridsize    Miss :     Minimum        Mean     Maximum : Parameter name
     1 : 0001-01-01 00:00:00       0        1       0 :                  1.0000             : seq
     2 : 0001-01-02 00:00:00       0        1       0 :                  2.0000             : seq
"""

CASES_6 = (
    Case("a heading amid rows that begin as it does", MEEP, "imag. freq",
         "column 2 (“imag. freq.”), in every line with “harminv0:,”",
         ((-0.00075335, -0.000306068, -9.37179e-06, -0.000264978),), MEEP_2, ((-0.00124382, -0.000420557, -0.000161034),),
         scope="column"),
    Case("the first field behind the text of such a heading", MEEP, "0.147187",
         "column 1 (“frequency”), behind “harminv0:,”, the 2nd time",
         ((0.147187,),), MEEP_2, ((0.160639,),)),
    Case("a click beside the numbers of a labelled row", MEEP, "energy:,#2", "columns 1–2, behind “energy:,”, the 2nd time",
         ((302.0, 0.21315),), MEEP_2, ((302.0, 0.0915334),)),
    Case("rows of fields below no heading", MEEP, "0.21315", "column 2, in every line with “energy:,” (4 here)",
         ((0.213602, 0.21315, 0.212103, 0.211815),), MEEP_2, ((0.091654, 0.0915334, 0.0909986, 0.0901787),),
         scope="number", repeat="all"),
    Case("the second labelled number of a line that comes again", XTB, "-0.1289518E-03",
         "in every line with “Eh change” (2 here)",
         ((-1.838529e-13, -0.0001289518),), XTB_2, ((-8.881784e-16, -0.001270075),), scope="number", repeat="all"),
    Case("a labelled number between tables of iterations", XTB, "0.0036666", "in every line with “gradient norm” (2 here)",
         ((0.0077946, 0.0036666),), XTB_2, ((0.0421452, 0.0117504),), scope="number", repeat="all"),
    Case("a label behind an amount with its unit", MOPAC, "2.268", "in every line with “GRAD.” (4 here)",
         ((1.842, 2.268, 0.575, 0.019),), MOPAC_2.replace("2.00D", "1.99D"), ((85.505, 65.53, 12.662, 9.977, 0.537, 0.018),),
         scope="number", repeat="all"),
    Case("the third number of a sentence that comes again", LAMMPS, "1954.580", "in every line with “hours/ns” (2 here)",
         ((6789.553, 1954.58),), LAMMPS_2, ((4303.601, 2147.889),), scope="number", repeat="all"),
    Case("the last of several runs", LAMMPS, "2167.00", "number 1, behind “Nghost”, the last time", ((2167.0,),),
         LAMMPS_2, ((2155.0,),)),
    Case("a number behind a word that stands before all sorts of numbers", GMSH, "842",
         "row 1 of column 3, below “Info : Meshing 2D...”",
         ((842.0,),), GMSH_2, ((398.0,),)),
    Case("a number that touches its unit amid a sentence", GMSH, "0.0372826",
         "the number after “Info    : Done meshing 2D (Wall”",
         ((0.0372826,),), GMSH_2, ((0.0195311,),)),
    Case("a result with other numbers behind it", NGSPICE, "8.995046e-01", "the number after “vav”", ((0.8995046,),),
         NGSPICE_2, ((0.8496916,),)),
    Case("a label that its own heading says too", NEC, "1.3900E+01", "in every line with “FREQUENCY :” (3 here)",
         ((13.8, 13.9, 14.0),), scope="number", repeat="all"),
    Case("an impedance at every frequency", NEC, "7.2251E+01", "column 7 (“IMPEDANCE (OHMS) REAL”), below", ((71.061,
         72.251, 73.451),),
         scope="number", repeat="all"),
    Case("fields between tabs, remarks between their lines", TABS, "8.9575e-01",
         "column 3 (“cost”), in every line with “step:” (7 here)",
         ((4.2252, 4.1273, 1.0948, 1.0499, 0.89575, 0.73273, 0.55405),), TABS_2,
         ((4.6413, 4.5429, 1.4572, 1.1831, 1.0456, 0.72136, 0.61283),), scope="number", repeat="all"),
    Case("a value between bars behind its name", TABS, "0.999993", "the number after", ((0.999993,),), TABS_2, ((1.209992,),)),
    Case("a residual behind an index and a label", GETDP, "1.295738741771e-13",
         "the number after “KSP Residual norm”, the last time",
         ((1.295738741771e-13,),)),
    Case("a mean where other rows have a minimum", CDO, "1.0000", "of column 9 (“Mean”), below", ((1.0,),),
         scope="number", repeat="all"),
    Case("a drag down such rows, all of them", MEEP, ("0.213602", "0.211815"), "column 2, in every line with “energy:,” (4 here)",
         ((0.213602, 0.21315, 0.212103, 0.211815),), MEEP_2, ((0.091654, 0.0915334, 0.0909986, 0.0901787),)),
    Case("just the rows of such a drag", MEEP, ("0.213602", "0.211815"), "rows 1–4 of column 3, below “run",
         ((0.213602, 0.21315, 0.212103, 0.211815),), scope="piece"),
)  # fmt: skip
