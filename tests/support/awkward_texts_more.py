"""More awkward outputs, as in awkward_texts: listings, reports of pages, drawn tables, signs and marks around numbers."""

from __future__ import annotations

import math

from awkward_texts import Case

NGSPICE = """\
Circuit: * rc low pass

Doing analysis at TEMP = 27.000000 and TNOM = 27.000000

No. of Data Rows : 4
                              * rc low pass
                              AC Analysis  Mon Nov 23 10:00:00  2026
--------------------------------------------------------------------------------
Index   frequency       v(out)
--------------------------------------------------------------------------------
0	1.000000e+00	9.999605e-01,	-6.28294e-03
1	1.000000e+01	9.960678e-01,	-6.25849e-02
2	1.000000e+02	7.169568e-01,	-4.50471e-01
3	1.000000e+03	2.470413e-02,	-1.55221e-01
"""

NEC = """\
                                 --------- ANTENNA INPUT PARAMETERS ---------
  TAG   SEG       VOLTAGE (VOLTS)         CURRENT (AMPS)         IMPEDANCE (OHMS)        ADMITTANCE (MHOS)     POWER
  No:   No:     REAL      IMAGINARY     REAL      IMAGINARY     REAL      IMAGINARY    REAL       IMAGINARY   (WATTS)
    1     5  1.0000E+00  0.0000E+00  9.2058E-03 -5.1547E-03  8.2698E+01  4.6307E+01  9.2058E-03 -5.1547E-03  4.6029E-03


                             ---------- POWER BUDGET ---------
                               INPUT POWER   =  4.6029E-03 Watts
                               RADIATED POWER=  4.6029E-03 Watts
                               EFFICIENCY    =  100.00 Percent
"""

XVG = """\
# This file was created Mon Nov 23 10:00:00 2026
@    title "GROMACS Energies"
@    xaxis  label "Time (ps)"
@ s0 legend "Potential"
@ s1 legend "Pressure"
    0.000000  -39610.281250   -12.345000
    1.000000  -39702.500000   101.250000
    2.000000  -39655.125000   -88.000000
"""

MCNP = """\
1tally        4        nps =    100000
           tally type 4    track length estimate of particle flux.
           particle(s): neutrons

 cell  10
      energy
    1.0000E-06   1.23450E-05 0.0123
    1.0000E-03   2.34560E-05 0.0098
      total      3.58010E-05 0.0075

 cell  20
      energy
    1.0000E-06   4.23450E-05 0.0223
    1.0000E-03   5.34560E-05 0.0198
      total      9.58010E-05 0.0175
"""

ANSYS = """\
 PRINT U    NODAL SOLUTION PER NODE

  ***** POST1 NODAL DEGREE OF FREEDOM LISTING *****

  LOAD STEP=     1  SUBSTEP=     1
   TIME=    1.0000      LOAD CASE=   0

    NODE      UX           UY           UZ           USUM
       1  0.0000       0.0000       0.0000       0.0000
       2 0.12345E-002-0.23456E-003 0.0000      0.12566E-002
       3 0.22345E-002-0.33456E-003 0.0000      0.22594E-002

 MAXIMUM ABSOLUTE VALUES
 NODE          3            3            0            3
 VALUE   0.22345E-002-0.33456E-003  0.0000      0.22594E-002
"""

UNITS = """\
  Time     Temp    Press
   [s]      [K]    [kPa]
  0.00   293.15   101.30
  0.50   301.20   103.10
  1.00   309.90   105.70
"""

WRAPPED = """\
 HYDROGRAPH ORDINATES
   0.0    1.5    7.2   12.8   30.1
  28.7   19.4   11.1    5.6    2.2
   0.9    0.1
 PEAK FLOW 30.1
"""

PAGES = """\
  HEC-HMS  Flow at outlet                         Page 1
  Hour     Inflow    Outflow
     1      10.00       9.50
     2      20.00      15.50

  HEC-HMS  Flow at outlet                         Page 2
  Hour     Inflow    Outflow
     3      30.00      24.50
     4      25.00      26.50
"""

DECIMAL_COMMA = """\
 Messung   Druck    Temperatur
 1         12,5     293,15
 2         13,75    294,20
 3         14,0     295,05
"""

PARENTHESES = """\
 Account       2024      2025
 Revenue     1200.50   1300.75
 Loss         (35.25)   (41.00)
"""

DATES = """\
 Date        Time      Level    Flow
 2026-11-21  00:00:00   1.25    10.5
 2026-11-21  06:00:00   1.35    12.0
 2026-11-22  00:00:00   1.30    11.1
"""

STARS = """\
 STEP   ENERGY    FORCE
    1  -12.500    0.125
    2 ********    0.250
    3  -13.500    0.375
"""

BOX = """\
┌───────────┬─────────┬────────┐
│ Parameter │   Value │  Error │
├───────────┼─────────┼────────┤
│ rate one  │  0.1250 │ 0.0100 │
│ rate two  │ -2.5000 │ 0.2000 │
└───────────┴─────────┴────────┘
"""

MARKDOWN = """\
| Site name   | Depth (m) | Head (m) |
|-------------|----------:|---------:|
| North well  |      12.5 |   101.25 |
| South well 2|       8.0 |    99.75 |
| East        |       9.5 |   100.50 |
"""

TWO_CSV = """\
Flows
time,in,out
0,1.5,2.5
1,1.75,2.25

Heads
time,in,out
0,10.5,20.5
1,10.75,20.25
"""

BLANKS = """\
 Station     Rain    Snow    Wind
 Alpha       12.5     0.0     3.5
 Beta         7.5             4.5
 Gamma        3.0     1.5     5.5
"""

LABELS = """\
 Material balance
   Total mass in              125.50    kg
   Total mass out             120.25    kg
   Error                        4.18    %
"""

FIVES = """\
 Profile
   1   0.10
   2   0.20

   3   0.30
   4   0.40

 Done
"""

HEX = """\
 Module   Address    Size    Load
 core     0x1F4A      512    0.25
 mesh     0x2B00     1024    0.75
"""

YEARS = """\
 Region      2020    2025    2030
 North       1.25    1.50    1.75
 South       2.25    2.50    2.75
"""

PLUS_MINUS = """\
 fit results
 a = 1.25 +/- 0.05
 b = -3.50 +/- 0.25
"""

CASES_2 = (
    Case("a real part in an ngspice listing", NGSPICE, "7.169568e-01", "row 3 of", ((0.7169568,),),
         NGSPICE.replace("7.169568e-01", "7.269568e-01").replace("10:00:00", "11:00:00"), ((0.7269568,),)),
    Case("the imaginary parts of an ngspice listing", NGSPICE, ("-6.28294e-03", "-1.55221e-01"), "all 4 rows of",
         ((-6.28294e-03, -6.25849e-02, -4.50471e-01, -1.55221e-01),)),
    Case("an impedance below three lines of headings", NEC, "4.6307E+01", "row 1 of column 8", ((46.307,),),
         NEC.replace("4.6307E+01", "-4.6307E+00"), ((-4.6307,),)),
    Case("a value behind a label in a framed report", NEC, "100.00", "the number after “EFFICIENCY”", ((100.0,),)),
    Case("a column of an xvg file", XVG, ("-39610.281250", "-39655.125000"), "all 3 rows of column 2",
         ((-39610.28125, -39702.5, -39655.125),),
         XVG.replace("10:00:00", "12:34:56").replace("-39702.5", "-39802.5") + "    3.000000  -39600.000000   -77.000000\n",
         ((-39610.28125, -39802.5, -39655.125, -39600.0),)),
    Case("the total of the second cell", MCNP, "9.58010E-05", "total", ((9.5801e-05,),),
         MCNP.replace("9.58010E-05", "9.68010E-05").replace("100000", "200000"), ((9.6801e-05,),)),
    Case("a bin of the second cell", MCNP, "4.23450E-05", "row 1 of column 2", ((4.2345e-05,),),
         MCNP.replace("4.23450E-05", "4.33450E-05"), ((4.3345e-05,),)),
    Case("glued displacements of an ANSYS listing", ANSYS, ("-0.23456E-003", "-0.33456E-003"), "rows 2–3 of",
         ((-0.23456e-3, -0.33456e-3),), ANSYS.replace("-0.23456E-003", " 0.24456E-003"), ((0.24456e-3, -0.33456e-3),)),
    Case("a maximum on a line with a name", ANSYS, "0.22594E-002#2", "", ((0.22594e-2,),)),
    Case("a row of units below the heading", UNITS, ("293.15",
         "309.90"), "all 3 rows of column 2 (“Temp”), below “Time Temp Press”",
         ((293.15, 301.2, 309.9),), UNITS.replace("301.20", "311.20"), ((293.15, 311.2, 309.9),)),
    Case("a table with units, by its heading", UNITS, "Press", "all 3 rows of columns 1–3",
         ((0.0, 0.5, 1.0), (293.15, 301.2, 309.9), (101.3, 103.1, 105.7)), scope="table"),
    Case("a series wrapped over several lines", WRAPPED, "HYDROGRAPH", "every",
         ((0.0, 1.5, 7.2, 12.8, 30.1, 28.7, 19.4, 11.1, 5.6, 2.2, 0.9, 0.1),),
         WRAPPED.replace("   0.9    0.1\n", "   0.9    0.1    0.0\n"),
         ((0.0, 1.5, 7.2, 12.8, 30.1, 28.7, 19.4, 11.1, 5.6, 2.2, 0.9, 0.1, 0.0),), scope="list"),
    Case("a series over two pages", PAGES, ("9.50", "26.50"), "column 3", ((9.5, 15.5, 24.5, 26.5),), scope="column"),
    Case("a column of every page", PAGES, "24.50", "every time (2 times here)", ((9.5, 15.5, 24.5, 26.5),),
         PAGES.replace("26.50", "27.50"), ((9.5, 15.5, 24.5, 27.5),), scope="column", repeat="all"),
    Case("decimal commas in a table", DECIMAL_COMMA, "294,20", "row 2 of column 3 (“Temperatur”)", ((294.2,),),
         DECIMAL_COMMA.replace("294,20", "299,1"), ((299.1,),)),
    Case("a column of decimal commas", DECIMAL_COMMA, ("12,5", "14,0"), "all 3 rows of column 2 (“Druck”)",
         ((12.5, 13.75, 14.0),)),
    Case("a negative number in brackets is refused", PARENTHESES,
         "35.25", "stands in brackets, which can mean a negative number", ()),
    Case("a number above one in brackets", PARENTHESES, "1300.75", "the row “Revenue” of column 3", ((1300.75,),)),
    Case("a level beside dates and times", DATES, "1.35", "row 2 of column 3 (“Level”)", ((1.35,),),
         DATES.replace("1.35", "1.45").replace("11-21", "12-21"), ((1.45,),)),
    Case("a column beside dates", DATES, ("10.5", "11.1"), "all 3 rows of column 4 (“Flow”)", ((10.5, 12.0, 11.1),)),
    Case("an overflow elsewhere in the row", STARS, "0.250", "row 2 of column 3 (“FORCE”)", ((0.25,),)),
    Case("an overflow in the other run", STARS, "-13.500", "row 3 of column 2 (“ENERGY”)", ((-13.5,),),
         STARS.replace("-13.500", "*******"), "could not fit"),
    Case("a value that is NaN in the other run", UNITS, "301.20", "row 2 of column 2", ((301.2,),),
         UNITS.replace("301.20", "   NaN"), ((math.nan,),)),
    Case("a drawn table", BOX, "-2.5000", "the row “rate two” of column 2 (“Value”)",
         ((-2.5,),), BOX.replace("-2.5000", "-2.7500"), ((-2.75,),)),
    Case("a column of a drawn table", BOX, ("0.0100", "0.2000"), "all 2 rows of column 3 (“Error”)", ((0.01, 0.2),)),
    Case("a markdown table with names of several words", MARKDOWN, "99.75", "the row “South well” of column 3 (“Head (m)”)",
         ((99.75,),), MARKDOWN.replace("99.75", "98.75"), ((98.75,),)),
    Case("the second of two delimited tables", TWO_CSV, ("20.5", "20.25"), "all 2 rows of column 3 (“out”), below “Heads”",
         ((20.5, 20.25),), TWO_CSV.replace("20.25", "21.25") + "2,10.9,22.5\n", ((20.5, 21.25, 22.5),)),
    Case("a blank cell beside", BLANKS, "4.5", "characters", ((4.5,),), BLANKS.replace("4.5", "9.5"), ((9.5,),)),
    Case("a column behind one with a blank cell", BLANKS, ("3.5", "5.5"), "all 3 rows of characters", ((3.5, 4.5, 5.5),)),
    Case("a column with a blank cell", BLANKS, "1.5", "", ((1.5,),)),
    Case("labels of several words", LABELS, "120.25", "the number after “Total mass out”", ((120.25,),),
         LABELS.replace("120.25", "-0.5"), ((-0.5,),)),
    Case("a percent sign", LABELS, "4.18", "the number after “Error”", ((4.18,),)),
    Case("rows in groups with blank lines", FIVES, ("0.10", "0.40"), "all 4 rows of column 2, below “Profile”",
         ((0.1, 0.2, 0.3, 0.4),),
         FIVES.replace("0.30", "0.35"), ((0.1, 0.2, 0.35, 0.4),)),
    Case("hexadecimal neighbours", HEX, "0.75", "the row “mesh” of column 4 (“Load”)",
         ((0.75,),), HEX.replace("0x2B00", "0x2C10"), ((0.75,),)),
    Case("years as headings", YEARS, ("1.50", "2.50"), "of column 3", ((1.5, 2.5),), YEARS.replace("2.50", "3.50"),
         ((1.5, 3.5),)),
    Case("a value with its error", PLUS_MINUS, "-3.50", "the number after “b”",
         ((-3.5,),), PLUS_MINUS.replace("-3.50", "-3.75"), ((-3.75,),)),
)  # fmt: skip
