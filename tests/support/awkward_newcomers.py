"""Outputs on which newcomers tried to mark numbers, each awkward in its own way; see test_awkward_outputs and awkward_texts."""

from __future__ import annotations

from awkward_texts import Case

ABAQUS = """\
   THE FOLLOWING TABLE IS PRINTED FOR NODES BELONGING TO NODE SET TIP

       NODE FOOT-   U1             U2             U3
            NOTE

         12         1.2500E-03    -3.7500E-04      0.000
         47         2.5000E-03    -7.5000E-04     1.0000E-06

 MAXIMUM            2.5000E-03    -3.7500E-04     1.0000E-06
 AT NODE                    47             12             47

          ANALYSIS COMPLETE
"""

ABAQUS_ELEMENTS = """\
                              E L E M E N T   O U T P U T

   THE FOLLOWING TABLE IS PRINTED AT THE INTEGRATION POINTS FOR ELEMENT TYPE CPS4R AND ELEMENT SET ALL

    ELEMENT  PT FOOT-       S11         S22         S12        MISES
                NOTE

          1   1         12.50       -3.250       0.5000        14.40
          2   1         13.75       -4.125       0.7500        16.20
"""

GAUSSIAN = """\
 SCF Done:  E(RHF) =  -76.0107465155     A.U. after   10 cycles
            NFock= 10  Conv=0.31D-08     -V/T= 2.0028
 Zero-point correction=                           0.022841 (Hartree/Particle)
 Thermal correction to Energy=                    0.025676
 Sum of electronic and zero-point Energies=            -75.987906
 Sum of electronic and thermal Free Energies=          -76.004561
 Dipole moment (field-independent basis, Debye):
    X=             -0.0000    Y=              0.0000    Z=             -2.1468  Tot=              2.1468
 Frequencies --   1826.5581              4070.2183              4188.6154
 Red. masses --      1.0823                 1.0453                 1.0812
"""

GLUED_UNITS = """\
Ping statistics
 time constant: 12.5ms
 gap = 3.2E-05[m] (closed)
 velocity=4.5m/s, pressure=101.3kPa
 load 12kN
 Peak:-3.5dB
 angle: 45.5°
"""

GLUED_UNITS_IN_A_TABLE = """\
Sensor table
 name    delay     gap
 A1      12.5ms    3.2E-05[m]
 A2      13.5ms    4.2E-05[m]
 A3      9.25ms    1.2E-05[m]
"""

BOX = """\
+--------+-----------+----------+
| node   |   u [mm]  |  s [MPa] |
+--------+-----------+----------+
| top    |   1.50    |  -12.5   |
| mid    |   0.75    |   n/a    |
| base   |   0.00    |   -3.25  |
+--------+-----------+----------+
"""

DASHES_IN_CELLS = """\
 Summary of wells
 well      head      flow     conc
 W1       10.25      ----     0.50
 W2       11.50      2.75     ----
 W3       12.75      3.25     0.75
"""

OVERFLOW = """\
 step   temp      pres     energy
   1   300.00    1.013    -12.500
   2   310.00  *******    -13.500
   3   320.00    1.113   ********
   4   330.00    1.213    -15.500
"""

NAMELIST = """\
&OUT
 TEMP=  300.250000    ,
 FLUX=  1.5000000    ,  2.5000000    ,  3.5000000    ,
 NAME='abc   ',
 OK=T,
 Q(1)=  0.5, Q(2)= 0.75,
/
"""

KEY_VALUE_LINES = """\
iter=12 res=1.5e-05 cd=0.0123 cl=0.4567 t=0.25s
iter=13 res=1.2e-05 cd=0.0124 cl=0.4571 t=0.50s
iter=14 res=9.9e-06 cd=0.0125 cl=0.4575 t=0.75s
converged: yes
"""

PAIRS_SEVERAL_A_LINE = """\
alpha = 2.0, beta = 3.5; gamma: 4.25 | delta -> 5.75
CL: 0.5  CD: 0.02  CM: -0.1
"""

JSON_NESTED = """\
{"run": {"id": 7, "layers": [[1.5, 2.5, 3.5], [4.5, 5.5, 6.5]],
 "points": [{"x": 0.5, "q": [10.5, 11.5]}, {"x": 0.75, "q": [12.5, 13.5]}]}}
"""

XML = """\
<?xml version="1.0"?>
<results case="A">
  <node id="1" ux="0.25" uy="-1.5"/>
  <node id="2" ux="0.35" uy="-2.5"/>
  <node id="3" ux="0.45" uy="-3.5"/>
  <energy unit="J">12.75</energy>
  <step time='0.5'><flux>3.25</flux><flux>3.75</flux></step>
</results>
"""

CSV_DECIMAL_COMMA = """\
Zeit;Druck;Temperatur
s;bar;°C
0,0;1,013;20,5
0,5;1,125;21,5
1,0;1,250;22,75
"""

TIME_ABOVE = """\
 TIME = 1.0
   X        U        V
   0.0   1.500   2.500
   0.5   3.500   4.500

 TIME = 2.0
   X        U        V
   0.0   2.500   4.500
   0.5   6.500   8.500

 TIME = 3.0
   X        U        V
   0.0   3.500   6.500
   0.5   9.500   12.500
"""

TIME_ABOVE_SINGLE_SPACES = """\
start
TIME = 1.0 s
 X(M)  U(M/S)
 0.0 1.500
 0.5 3.500
 1.0 4.500

TIME = 2.0 s
 X(M)  U(M/S)
 0.0 2.500
 0.5 6.500
 1.0 8.500
"""

THREE_HEADING_LINES = """\
 Stage      Discharge      Velocity     Froude
  (m)       per unit       at crest      No.
            width (m2/s)    (m/s)
 0.50        1.25           2.50         1.13
 0.75        2.25           3.00         1.11
 1.00        3.50           3.50         1.12
"""

STACKED_HEADING_AND_RULE = """\
          Reach        Upstream     Downstream
   No.    Length (m)   Flow (cms)   Flow (cms)
   ---    ----------   ----------   ----------
     1       120.0        3.25         3.15
     2        80.0        3.15         2.95
     3       200.0        2.95         2.50

   Total     400.0
"""

DOTTED = """\
  Results for case 3

  sigma_1 .......... :   12.50 MPa
  sigma_3 .......... :   -3.25 MPa
  safety factor      :    1.75  (min. 1.50)
  slip surface       : circle, R = 22.5 m
"""

THREE_DIGIT_EXPONENT = """\
ITER  RESIDUAL       FORCE_X     FORCE_Y
----------------------------------------
   1  1.234E-01   1.2345+100   -2.500
   2  2.345E-02   1.2355+100   -2.750
   3  3.456E-03   1.2365+100   -3.000
"""

DOUBLE_BOX = """\
╔═══════╦════════╗
║ zone  ║  T(°C) ║
╠═══════╬════════╣
║ core  ║  85.5  ║
║ skin  ║  32.25 ║
╚═══════╩════════╝
"""

OPEN_BOX = """\
      |   k=1   |   k=2   |   k=3
------+---------+---------+--------
  A   |  1.25   |  2.25   |  ***
  B   |  1.50   |   NaN   |  3.50
  C   |  1.75   |  2.75   |  3.75
"""

NOT_THERE = """\
Node results

  Node   Head(m)   Status
  J1     12.50     OK
  J2     11.25     LOW
  J3     n/a       DRY
  J4     10.75     OK
"""

THOUSANDS = """\
Total:  1,234,567.5 kg   (mean 12,345.25)
 Yield = 85.5 % ± 1.2 %
 ratio 3.5:1
 Q10/Q90 = 2.25
"""

INDEXED_PAIRS = """\
 $RESULT $
  EIGENVALUE( 1) = 1.25000D+01   PARTICIPATION( 1) = 0.750
  EIGENVALUE( 2) = 2.25000D+01   PARTICIPATION( 2) = 0.150
  EIGENVALUE( 3) = 3.25000D+01   PARTICIPATION( 3) = 0.050
"""

UNCERTAINTY_IN_BRACKETS = """\
Mesh  DOF      u_max        ratio
  1   1.2e3    1.500(12)    -
  2   4.8e3    1.625(10)    1.95
  3   1.9e4    1.656(9)     2.01
"""

BRACKETED_LISTS = """\
layer thickness: [0.5, 0.75, 1.25] m
heads = (10.5 11.5 12.5)
q={1.5;2.5;3.5}
P: <2.25>
"""


def _heads(begin: float) -> str:
    """A matrix of 20 columns, ten in a line, the number of the row before the first."""
    lines = ["  MODFLOW", "", "    HEAD IN LAYER   1 AT END OF TIME STEP   1 IN STRESS PERIOD   1", "    " + "-" * 71, ""]
    lines += ["     " + "".join(f"{k:11d}" for k in range(first, first + 10)) for first in (1, 11)]
    lines.append(" " + "." * 114)
    for row in (1, 2, 3):
        values = [f"{begin + 10 * row + 0.25 * k:11.3f}" for k in range(20)]
        lines += [f"{row:4d} " + "".join(values[:10]), "     " + "".join(values[10:])]
    return "\n".join([*lines, "", "  VOLUMETRIC BUDGET", "   TOTAL IN = 12.5", ""])


def _case(
    name: str, text: str, mark: str | tuple[str, str], words: str, here: tuple[tuple[float, ...], ...],
    there: tuple[tuple[float, ...], ...], *changes: tuple[str, str], source: str = "stdout",
) -> Case:  # fmt: skip
    """``changes``: what another run prints in the place of what."""
    then = text
    for old, new in changes:
        assert old in then
        then = then.replace(old, new)
    return Case(name, text, mark, words, here, then, there, source)


CASES_10 = (
    _case("a node of a table whose footnotes are blank", ABAQUS, "-7.5000E-04", "(“U2”), below “NOTE”", ((-7.5e-4,),),
          ((-8.5e-4,),),
          ("-7.5000E-04", "-8.5000E-04")),
    _case("its heading, which is broken over two lines", ABAQUS, "U2", "all 2 rows of column 3 (“U2”)",
          ((-3.75e-4, -7.5e-4),), ((-3.75e-4, -8.5e-4),), ("-7.5000E-04", "-8.5000E-04")),
    _case("the name beside a blank column", ABAQUS, "NODE FOOT", "all 2 rows of column 1 (“NODE”)", ((12, 47),), ((13, 47),),
          ("         12  ", "         13  ")),
    _case("a stress below a broken heading", ABAQUS_ELEMENTS, ("12.50", "13.75"), "(“S11”)", ((12.5, 13.75),), ((22.5, 13.75),),
          ("12.50", "22.50")),
    _case("the heading of that stress", ABAQUS_ELEMENTS, "MISES", "column 6 (“MISES”)", ((14.4, 16.2),), ((14.4, 17.2),),
          ("16.20", "17.20")),
    Case("a number of a wrapped matrix", _heads(100.0), "121.500", "row 2 of column 8, below “HEAD IN LAYER”", ((121.5,),),
         _heads(200.0), ((221.5,),)),
    Case("a column in the second lines of a wrapped matrix", _heads(100.0),
          ("112.750", "132.750"), "column 2, below “HEAD IN LAYER”",
         ((112.75, 122.75, 132.75),), _heads(200.0), ((212.75, 222.75, 232.75),)),
    Case("a column in the first lines of a wrapped matrix", _heads(100.0), ("111.250", "131.250"), "all 3 rows of column 7",
         ((111.25, 121.25, 131.25),), _heads(200.0), ((211.25, 221.25, 231.25),)),
    _case("an energy amid a sentence", GAUSSIAN, "-76.0107465155", "the number after “SCF Done:  E(RHF)”", ((-76.0107465155,),),
          ((-76.1107465155,),), ("-76.0107465155", "-76.1107465155"), ("after   10", "after   12")),
    _case("the words that lead to an energy", GAUSSIAN, "thermal Free", "“Sum of electronic and thermal Free Energies”",
          ((-76.004561,),), ((-76.104561,),), ("-76.004561", "-76.104561")),
    _case("a number with a Fortran exponent behind a sign", GAUSSIAN, "0.31D-08", "“Conv”", ((3.1e-9,),), ((4.1e-9,),),
          ("0.31D-08", "0.41D-08")),
    _case("one of three frequencies", GAUSSIAN, "4070.2183", "the row “Frequencies” of number 3", ((4070.2183,),),
          ((4071.2183,),),
          ("4070.2183", "4071.2183")),
    _case("a value with its unit right behind it", GLUED_UNITS, "12.5ms", "the number after “time constant”", ((12.5,),),
          ((13.5,),),
          ("12.5ms", "13.5ms")),
    _case("a unit in brackets right behind an exponent", GLUED_UNITS, "3.2E-05[m]", "the number after “gap”", ((3.2e-5,),),
          ((4.2e-5,),), ("3.2E-05[m]", "4.2E-05[m]")),
    _case("a column of values with units", GLUED_UNITS_IN_A_TABLE, ("12.5ms", "9.25ms"), "all 3 rows of column 2 (“delay”)",
          ((12.5, 13.5, 9.25),), ((12.5, 14.5, 9.25),), ("13.5ms", "14.5ms")),
    _case("the heading of values with units", GLUED_UNITS_IN_A_TABLE, "gap", "all 3 rows of column 3 (“gap”)",
          ((3.2e-5, 4.2e-5, 1.2e-5),), ((3.2e-5, 4.2e-5, 2.2e-5),), ("1.2E-05[m]", "2.2E-05[m]")),
    _case("a number beside one that is not there, in a box", BOX, "-3.25", "the row “base” of column 3 (“s [MPa]”)", ((-3.25,),),
          ((-4.25,),), ("-3.25", "-4.25")),
    _case("a column of a box", BOX, ("1.50", "0.00"), "all 3 rows of column 2 (“u [mm]”)", ((1.5, 0.75, 0.0),),
          ((1.5, 0.85, 0.0),),
          ("0.75", "0.85")),
    _case("a column beside cells of dashes", DASHES_IN_CELLS, ("10.25", "12.75"), "all 3 rows of column 2 (“head”)",
          ((10.25, 11.5, 12.75),), ((10.35, 11.5, 12.75),), ("10.25", "10.35")),
    _case("a column beside one that overflows", OVERFLOW, ("300.00", "330.00"), "all 4 rows of column 2 (“temp”)",
          ((300.0, 310.0, 320.0, 330.0),), ((300.0, 310.0, 325.0, 330.0),), ("320.00", "325.00")),
    _case("a number in a row that overflows", OVERFLOW, "-13.500", "row 2 of column 4 (“energy”)", ((-13.5,),), ((-13.75,),),
          ("-13.500", "-13.750")),
    _case("one of a namelist's array", NAMELIST, "2.5000000", "number 2, behind “FLUX”", ((2.5,),), ((2.75,),),
          ("2.5000000", "2.7500000")),
    _case("an element of an array that is printed by itself", NAMELIST, "0.75", "Q(2)”", ((0.75,),),
          ((0.85,),), ("0.75", "0.85")),
    _case("an eigenvalue known by its number", INDEXED_PAIRS, "2.25000D+01", "the number after “EIGENVALUE( 2)”", ((22.5,),),
          ((23.5,),), ("2.25000D+01", "2.35000D+01")),
    _case("the last of pairs in lines that come again", KEY_VALUE_LINES, "0.4575", "“cl”, the last time it appears", ((0.4575,),),
          ((0.4775,),), ("cl=0.4575", "cl=0.4775")),
    _case("the key of a pair", KEY_VALUE_LINES, "cd=", "the number after “cd”", ((0.0123,),), ((0.0133,),), ("0.0123", "0.0133")),
    _case("a column of pairs", KEY_VALUE_LINES, ("0.0123", "0.0125"), "all 3 rows of number 3", ((0.0123, 0.0124, 0.0125),),
          ((0.0123, 0.0124, 0.0135),), ("0.0125", "0.0135")),
    _case("one of several pairs in a line", PAIRS_SEVERAL_A_LINE, "5.75", "| delta ->”", ((5.75,),),
          ((5.95,),), ("5.75", "5.95")),
    _case("the name of one of several pairs in a line", PAIRS_SEVERAL_A_LINE, "CD", "the number after “CD”", ((0.02,),),
          ((0.03,),),
          ("0.02", "0.03")),
    _case("a number in a list of lists", JSON_NESTED, "12.5", "“run.points.1.q.0”", ((12.5,),), ((12.75,),), ("12.5", "12.75")),
    _case("a list in a list of lists", JSON_NESTED, ("4.5", "6.5"), "“run.layers.1”", ((4.5, 5.5, 6.5),), ((4.5, 5.75, 6.5),),
          ("5.5,", "5.75,")),
    _case("an attribute of XML", XML, "-2.5", "row 2 of number 3", ((-2.5,),), ((-2.75,),), ("-2.5", "-2.75")),
    _case("an attribute of every element", XML, ("0.25", "0.45"), "all 3 rows of number 2", ((0.25, 0.35, 0.45),),
          ((0.25, 0.35, 0.55),), ("0.45", "0.55")),
    _case("the text of an element", XML, "12.75", "the number after “<energy unit=", ((12.75,),),
          ((13.75,),), ("12.75", "13.75")),
    _case("decimal commas between semicolons", CSV_DECIMAL_COMMA, ("1,013", "1,250"), "all 3 rows of column 2 (“Druck”)",
          ((1.013, 1.125, 1.25),), ((1.013, 1.225, 1.25),), ("1,125", "1,225"), source="out.csv"),
    _case("a number below a time", TIME_ABOVE, "6.500", "row 2 of column 2 (“U”), below “TIME”, the 2nd time", ((6.5,),),
          ((6.75,),),
          ("6.500", "6.750")),
    _case("a column below the last time", TIME_ABOVE_SINGLE_SPACES, ("2.500", "8.500"), "(“U(M/S)”), below “TIME”, the last time",
          ((2.5, 6.5, 8.5),), ((2.5, 6.75, 8.5),), ("6.500", "6.750")),
    _case("a name over three lines", THREE_HEADING_LINES, "Velocity", "all 3 rows of column 3 (“Velocity at crest”)",
          ((2.5, 3.0, 3.5),), ((2.5, 3.1, 3.5),), ("3.00 ", "3.10 ")),
    _case("a name over two lines and a rule", STACKED_HEADING_AND_RULE, "Upstream", "(“Upstream Flow (cms)”)",
          ((3.25, 3.15, 2.95),), ((3.35, 3.15, 2.95),), ("3.25", "3.35")),
    _case("a number behind dots and a colon", DOTTED, "22.5", "circle, R”", ((22.5,),), ((23.5,),), ("22.5", "23.5")),
    _case("an exponent of three digits without its letter", THREE_DIGIT_EXPONENT, ("1.2345+100", "1.2365+100"), "(“FORCE_X”)",
          ((1.2345e100, 1.2355e100, 1.2365e100),), ((1.2345e100, 1.3355e100, 1.2365e100),), ("1.2355+100", "1.3355+100")),
    _case("a box of double lines", DOUBLE_BOX, ("85.5", "32.25"), "(“T(°C)”)", ((85.5, 32.25),),
          ((86.5, 32.25),), ("85.5", "86.5")),
    _case("a box without sides", OPEN_BOX, ("1.25", "1.75"), "all 3 rows of column 2", ((1.25, 1.5, 1.75),), ((1.25, 1.6, 1.75),),
          ("1.50", "1.60")),
    _case("a number below one that is not there", NOT_THERE, "10.75", "the number after “J4”", ((10.75,),), ((10.85,),),
          ("10.75", "10.85")),
    _case("the error behind a value", THOUSANDS, "1.2 %", "number 2, behind “Yield”", ((1.2,),), ((1.3,),), ("1.2 %", "1.3 %")),
    _case("values with their errors in brackets", UNCERTAINTY_IN_BRACKETS, ("1.500", "1.656"), "(“u_max”)",
          ((1.5, 1.625, 1.656),),
          ((1.5, 1.625, 1.756),), ("1.656", "1.756")),
    _case("one of a list in brackets", BRACKETED_LISTS, "0.75", "“layer thickness:”", ((0.75,),), ((0.85,),), ("0.75", "0.85")),
)  # fmt: skip
