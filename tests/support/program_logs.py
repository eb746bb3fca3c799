"""Pieces of what real programs print: labelled numbers with their units (xtb 6.5, MOPAC 22, SWMM 5.2, XFOIL 6.99, Cantera 3)."""

from __future__ import annotations

XTB = """\
         :::::::::::::::::::::::::::::::::::::::::::::::::::::
         ::                     SUMMARY                     ::
         :::::::::::::::::::::::::::::::::::::::::::::::::::::
         :: total energy              -5.070369819159 Eh    ::
         :: gradient norm              0.007328104797 Eh/a0 ::
         :: HOMO-LUMO gap             14.648806958921 eV    ::
         ::.................................................::
         :: SCC energy                -5.105449412988 Eh    ::
         :: -> isotropic ES            0.031401726294 Eh    ::
         :: -> anisotropic ES          0.000592530715 Eh    ::
         :: -> anisotropic XC         -0.000840765826 Eh    ::
         :: -> dispersion             -0.000141200884 Eh    ::
         :: repulsion energy           0.035079593799 Eh    ::
         :::::::::::::::::::::::::::::::::::::::::::::::::::::
"""
XTB_2 = XTB.replace("0.0314017", "0.0414017").replace("14.6488069", "13.2488069").replace("-5.07036", "-5.17036")
MOPAC = """\
          FINAL HEAT OF FORMATION =        -57.79986 KCAL/MOL =    -241.83461 KJ/MOL


          COSMO AREA              =         42.43 SQUARE ANGSTROMS
          COSMO VOLUME            =         25.18 CUBIC ANGSTROMS

          GRADIENT NORM           =          0.03769          =       0.02176 PER ATOM
          IONIZATION POTENTIAL    =         12.115540 EV
          HOMO LUMO ENERGIES (EV) =        -12.116  4.049
          NO. OF FILLED LEVELS    =          4
          MOLECULAR WEIGHT        =         18.0152         POINT GROUP:  C2v
"""
SWMM = """\
  **************************        Volume         Depth
  Runoff Quantity Continuity     hectare-m            mm
  **************************     ---------       -------
  Total Precipitation ......         0.902        44.000
  Evaporation Loss .........         0.000         0.000
  Infiltration Loss ........         0.542        26.457
  Surface Runoff ...........         0.352        17.186
  Final Storage ............         0.007         0.364
  Continuity Error (%) .....        -0.017
"""
XFOIL = """\
 Side 1  free  transition at x/c =  0.3982   50
   5   rms: 0.4990E-03   max: -.9341E-02   D at   51  1
       a =  4.000      CL =  0.7146
      Cm = -0.0573     CD =  0.00693   =>   CDf =  0.00463    CDp =  0.00230

 Side 1  free  transition at x/c =  0.3980   50
   6   rms: 0.1564E-05   max: -.2670E-04   D at   51  1
       a =  4.000      CL =  0.7149
      Cm = -0.0575     CD =  0.00695   =>   CDf =  0.00465    CDp =  0.00231
"""
CANTERA = """\
       temperature   1200 K
          pressure   1.0133e+05 Pa
           density   0.28411 kg/m^3
  mean mol. weight   27.976 kg/kmol
   phase of matter   gas

                      mass frac. Y      mole frac. X     chem. pot. / RT
                     ---------------   ---------------   ---------------
                H2          0.020589           0.28571            -19.23
                O2            0.1634           0.14286           -29.033
                AR           0.81601           0.57143           -20.772
"""
