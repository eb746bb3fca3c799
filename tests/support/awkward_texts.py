"""Outputs as real programs print them, each awkward in its own way, with a mark and what it is to read; see test_awkward_outputs.

A mark: the text that is clicked, or from one text to another, each taken at its n-th appearance ("1.5#2" is the second).
``then``: the same program's text at other parameter values, and what the proposed way reads in it.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Case:
    name: str
    text: str
    mark: str | tuple[str, str]
    words: str  # in what is proposed first
    values: tuple[tuple[float, ...], ...]  # of each output
    then: str = ""
    then_values: tuple[tuple[float, ...], ...] | str = ()  # a text: in the sentence that says why not
    source: str = "stdout"
    scope: str = ""  # choose this offer instead of the first, with ``repeat``
    repeat: str = ""


CALCULIX = """
     E I G E N V A L U E   O U T P U T

 MODE NO    EIGENVALUE                       FREQUENCY
                                     REAL PART            IMAGINARY PART
                           (RAD/TIME)      (CYCLES/TIME     (RAD/TIME)

      1   0.1234567E+07   0.1111111E+04   0.1768388E+03   0.0000000E+00
      2   0.2345678E+07   0.1531561E+04   0.2437555E+03   0.0000000E+00
      3   0.9345678E+07   0.3057070E+04   0.4865477E+03   0.0000000E+00

     P A R T I C I P A T I O N   F A C T O R S

MODE NO.   X-COMPONENT     Y-COMPONENT     Z-COMPONENT

      1   0.1000000E+01   0.2000000E+01   0.3000000E-01
      2   0.4000000E+01   0.5000000E+01   0.6000000E-01
      3   0.7000000E+01   0.8000000E+01   0.9000000E-01

 displacements (vx,vy,vz) for set TIP and time  0.1000000E+01

        12  1.250000E-03 -3.750000E-04  0.000000E+00
        47  2.500000E-03 -7.500000E-04  1.000000E-06

 forces (fx,fy,fz) for set BASE and time  0.1000000E+01

         1 -5.000000E+01  1.000000E+00  0.000000E+00
"""
CALCULIX_2 = (
    CALCULIX.replace("0.1768388E+03", "0.1868388E+03").replace("0.2437555E+03", "0.2537555E+03")
    .replace("0.5000000E+01", "-.5100000E+01").replace("2.500000E-03", "2.600000E-03").replace("-5.000000E+01", "-5.100000E+01")
)  # fmt: skip

EPANET = """\
  Page 1                                    Mon Nov 23 10:00:00 2026

  Node Results at 0:00:00 hrs:
  --------------------------------------------------------
                     Demand      Head  Pressure   Quality
  Node                  gpm        ft       psi      mg/L
  --------------------------------------------------------
  J-10                 0.00   1004.35    127.54      0.50
  11                 150.00    985.23    119.26      0.50
  9                -1866.18    800.00      0.00      1.00  Reservoir
  2                  766.18    970.00     52.00      1.00  Tank


  Link Results at 0:00:00 hrs:
  --------------------------------------------------------
                       Flow  Velocity  Headloss    Status
  Link                  gpm       fps  /1000ft
  --------------------------------------------------------
  10                1866.18      2.35      1.90      Open
  P-3                150.00      1.02      0.40      Closed

  Node Results at 1:00:00 hrs:
  --------------------------------------------------------
                     Demand      Head  Pressure   Quality
  Node                  gpm        ft       psi      mg/L
  --------------------------------------------------------
  J-10                 0.00   1010.50    130.20      0.50
  11                 150.00    990.75    121.65      0.50
  9                -1900.00    800.00      0.00      1.00  Reservoir
  2                  766.18    975.00     54.17      1.00  Tank
"""
EPANET_2 = EPANET.replace("985.23", "984.10").replace("119.26", "118.77").replace("990.75", "989.00")

FORTRAN_GLUED = """\
 STRESSES AT INTEGRATION POINTS
  ELEM   SXX         SYY         SXY
    1-1.234E+00-5.678E-01 2.000E+00
    2 1.500E+00-2.500E-01-3.000E+00
    3-9.990E-01 8.880E-01-7.770E-01
 END OF STRESSES
"""
FORTRAN_GLUED_2 = FORTRAN_GLUED.replace("-5.678E-01", " 5.678E-01").replace("-2.500E-01", "-2.600E-01")

DIGITS_GLUED = """\
 REACH    FLOW   STAGE    TEMP
     1   12.50    3.25   18.00
     2  112.50    3.75   18.50
     3 1112.501003.80   19.00
     4   99.00    4.00   19.50
"""

LAMMPS = """\
LAMMPS (2 Aug 2023)
Reading data file ...
  orthogonal box = (0 0 0) to (10 10 10)
Setting up Verlet run ...
Per MPI rank memory allocation (min/avg/max) = 3.191 | 3.191 | 3.191 Mbytes
   Step          Temp          E_pair         Press
         0   1.44          -6.7733681     -5.0196704
        50   0.70303849    -5.6796164      0.73046421
       100   0.72628044    -5.7150774      0.48496217
Loop time of 0.221 on 1 procs for 100 steps with 4000 atoms

Performance: 194690.264 tau/day, 450.672 timesteps/s
Per MPI rank memory allocation (min/avg/max) = 3.205 | 3.205 | 3.205 Mbytes
   Step          Temp          E_pair         Press
       100   0.72628044    -5.7150774      0.48496217
       150   0.78441816    -5.8035710      0.12000000
WARNING: Dangerous builds
       200   0.77000000    -5.7900000      0.22000000
Loop time of 0.219 on 1 procs for 100 steps with 4000 atoms
"""
LAMMPS_2 = LAMMPS.replace("-5.8035710", "-5.9035710").replace("0.221", "0.301").replace("0.70303849", "0.71303849").replace(
    "       200   0.77000000    -5.7900000      0.22000000\n", "       200   0.78000000    -5.8800000      0.23000000\n"
    "       250   0.79000000    -5.8900000      0.24000000\n")  # fmt: skip

ESPRESSO = """\
     iteration #  1     ecut=    30.00 Ry     beta= 0.70
     total energy              =     -15.79128925 Ry
     estimated scf accuracy    <       0.06414511 Ry
     iteration #  2     ecut=    30.00 Ry     beta= 0.70
     total energy              =     -15.79441843 Ry
     estimated scf accuracy    <       0.00231530 Ry

          k = 0.0000 0.0000 0.0000 (   113 PWs)   bands (ev):

    -5.8099   6.2549   6.2549   6.2549   8.8221   8.8221   8.8221   9.7232

          k = 0.0000 0.0000 1.0000 (   118 PWs)   bands (ev):

    -1.7309  -1.7309   3.2974   3.2974   6.7930   6.7930  16.2900  16.2900

     highest occupied level (ev):     6.2549
!    total energy              =     -15.79448871 Ry
"""
ESPRESSO_2 = ESPRESSO.replace("6.7930", "6.8930").replace("6.2549", "6.3549").replace("-15.7944", "-15.8044")

SWAT = """\
   SWAT Oct 2018   VER 2012/Rev 681

 LULC   HRU      GIS  SUB  MGT   MON   AREAkm2  PRECIPmm  SURQmm
AGRL      1 000010001    1    0     1.12345E+01   102.300   12.50
FRSD      2 000010002    1    0     1.22345E+01    98.100    0.75
PAST     13 000020001    2    0     1.32345E+01   110.000-999.99
"""

NAMELIST = """\
&RESULT
 CHI2    =   12.7500000000000     ,
 NITER   =           14,
 COEF    =   1.00000000000000D+00,  -2.50000000000000D-01,  3*0.00000000000000D+00,
   4.125000000000000D-02,
 CONVERGED       = T
/
"""

TWO_SAME = """\
 Table
   t     a
   0   1.5
   1   2.5

 Table
   t     a
   0   3.5
   1   4.5

 Table
   t     a
   0   5.5
   1   6.5
"""

STEPS = "\n".join(
    f" TIME STEP {k}   dt = {0.1 + 0.01 * k:.4f}\n  node   ux        uy\n"
    f"     1  {0.1 * k:.4f}  {0.2 * k:.4f}\n     2  {0.3 * k:.4f}  {0.4 * k:.4f}\n"
    for k in range(1, 4)
)  # fmt: skip

CASES_1 = (
    Case("a click in an eigenvalue table", CALCULIX, "0.2437555E+03",
         "row 2 of column 4 (“FREQUENCY”), below “E I G E N V A L U E O U T P U T”",
         ((243.7555,),), CALCULIX_2, ((253.7555,),)),
    Case("two rows of the eigenvalue table", CALCULIX, ("0.1768388E+03", "0.2437555E+03"),
         "rows 1–2 of column 4 (“FREQUENCY”), below “E I G E N V A L U E O U T P U T”",
         ((176.8388, 243.7555),), CALCULIX_2, ((186.8388, 253.7555),)),
    Case("the next table with spaced letters", CALCULIX, ("0.2000000E+01", "0.8000000E+01"),
         "all 3 rows of column 3 (“Y-COMPONENT”), below “P A R T I C I P A T I O N F A C T O R S”",
         ((2.0, 5.0, 8.0),), CALCULIX_2, ((2.0, -5.1, 8.0),)),
    Case("a click on a heading of spaced letters", CALCULIX, "P A R T I C",
         "all 3 rows of columns 1–4, below “P A R T I C I P A T I O N F A C T O R S”",
         ((1.0, 2.0, 3.0), (1.0, 4.0, 7.0), (2.0, 5.0, 8.0), (0.03, 0.06, 0.09))),
    Case("a displacement below a title with the time", CALCULIX, "2.500000E-03",
         "row 2 of column 2 (“vx”), below “displacements (vx,vy,vz) for set TIP and time”",
         ((0.0025,),), CALCULIX_2, ((0.0026,),)),
    Case("a table of one row", CALCULIX, ("-5.000000E+01", "0.000000E+00"),
         "row 1 of columns 2–4, below “forces (fx,fy,fz) for set BASE and time”",
         ((-50.0, 1.0, 0.0),), CALCULIX_2, ((-51.0, 1.0, 0.0),)),
    Case("a pressure among names and flags", EPANET, "119.26",
         "row 2 of column 4 (“Pressure”), below “Node Results at”", ((119.26,),), EPANET_2, ((118.77,),)),
    Case("a node at every time", EPANET, "985.23", "every time (2 times here)",
         ((985.23, 990.75),), EPANET_2, ((984.10, 989.00),), scope="number", repeat="all"),
    Case("a row known by its name", EPANET, "1004.35",
         "the row “J-10” of column 3 (“Head”), below “Node Results at”", ((1004.35,),), EPANET_2, ((1004.35,),)),
    Case("the whole column at the last time", EPANET, ("1010.50", "975.00"),
         "all 4 rows of column 3 (“Head”), below “Node Results at”, the last time",
         ((1010.5, 990.75, 800.0, 975.0),), EPANET_2, ((1010.5, 989.0, 800.0, 975.0),)),
    Case("a second table with a column of words", EPANET, "2.35",
         "row 1 of column 3 (“Velocity”), below “Link Results at”", ((2.35,),), EPANET_2, ((2.35,),)),
    Case("glued columns with exponents", FORTRAN_GLUED, "-2.500E-01",
         "row 2 of ", ((-0.25,),), FORTRAN_GLUED_2, ((-0.26,),)),
    Case("a column of glued numbers, apart in the other run", FORTRAN_GLUED, ("-5.678E-01", "8.880E-01"),
         "below “STRESSES AT INTEGRATION POINTS”", ((-0.5678, -0.25, 0.888),), FORTRAN_GLUED_2, ((0.5678, -0.26, 0.888),)),
    Case("columns glued at their digits", DIGITS_GLUED, ("3.25", "4.00"),
         "all 4 rows of characters 15–22 of the line", ((3.25, 3.75, 1003.8, 4.0),),
         DIGITS_GLUED.replace("1003.80", "   3.85"), ((3.25, 3.75, 3.85, 4.0),)),
    Case("a number behind whose digits another begins", DIGITS_GLUED, "112.50",
         "row 2 of characters 7–14 of the line (“FLOW”)", ((112.5,),)),
    Case("the last row of the last LAMMPS run", LAMMPS, "-5.7150774",
         "row 3 of column 3 (“E_pair”), below “Step Temp E_pair Press”", ((-5.7150774,),), LAMMPS_2, ((-5.7150774,),)),
    Case("a thermo column of the last run, which grows", LAMMPS, ("-5.8035710", "-5.7900000"),
         "below “Step Temp E_pair Press”, the last time", ((-5.7150774, -5.803571, -5.79),), LAMMPS_2,
         ((-5.7150774, -5.903571, -5.88, -5.89),), scope="column"),
    Case("a total energy that comes again", ESPRESSO, "-15.79448871", "the number after “!    total energy”",
         ((-15.79448871,),), ESPRESSO_2, ((-15.80448871,),)),
    Case("every total energy", ESPRESSO, "-15.79128925", "in every line with “total energy” (3 here)",
         ((-15.79128925, -15.79441843, -15.79448871),), ESPRESSO_2, ((-15.79128925, -15.80441843, -15.80448871),),
         scope="number", repeat="all"),
    Case("a row of bands below its k point", ESPRESSO, ("-1.7309", "16.2900#2"),
         "row 1 of columns 1–8, below", ((-1.7309, -1.7309, 3.2974, 3.2974, 6.793, 6.793, 16.29, 16.29),),
         ESPRESSO_2, ((-1.7309, -1.7309, 3.2974, 3.2974, 6.893, 6.893, 16.29, 16.29),)),
    Case("an overflowing fixed width", SWAT, ("12.50", "0.75"), "rows 1–2 of", ((12.5, 0.75),)),
    Case("a column that a minus sign glues", SWAT, ("102.300", "110.000"), "all 3 rows of", ((102.3, 98.1, 110.0),)),
    Case("a namelist value", NAMELIST, "12.7500000000000", "the number after “CHI2”", ((12.75,),),
         NAMELIST.replace("12.7500000000000", "1.27500000000000E-02"), ((0.01275,),)),
    Case("some of a namelist array", NAMELIST, ("1.00000000000000D+00", "-2.50000000000000D-01"),
         "numbers 1–2 of the list behind “COEF =”", ((1.0, -0.25),)),
    Case("the middle one of tables with the same heading", TWO_SAME, "4.5",
         "row 2 of column 2 (“a”), below “Table”, the 2nd time", ((4.5,),), TWO_SAME.replace("4.5", "7"), ((7.0,),)),
    Case("the same column of all tables with the same heading", TWO_SAME, ("3.5", "4.5"), "every time (3 times here)",
         ((1.5, 2.5, 3.5, 4.5, 5.5, 6.5),), TWO_SAME.rsplit(" Table", 1)[0], ((1.5, 2.5, 3.5, 4.5),),
         scope="column", repeat="all"),
    Case("a node at the second time step", STEPS, "0.6000", "row 2 of column 2 (“ux”), below “TIME STEP”, the 2nd time",
         ((0.6,),)),
    Case("a node at every time step", STEPS, "0.6000", "below “TIME STEP”, every time (3 times here)",
         ((0.3, 0.6, 0.9),), STEPS.replace("0.9000", "0.9900"), ((0.3, 0.6, 0.99),), scope="number", repeat="all"),
)  # fmt: skip
