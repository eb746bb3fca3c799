"""Logs of iterations, lists in brackets, units and remarks beside numbers; cases as in awkward_texts."""

from __future__ import annotations

from awkward_texts import Case

ITERATIONS = "".join(f"Iteration {i}: residual = {10.0**-i:.3e} (tol 1e-6)\n" for i in range(1, 5)) + "Converged\n"
LONGER = ITERATIONS.replace("Converged", "Iteration 5: residual = 1.000e-05 (tol 1e-6)\nConverged")

OPENFOAM = "".join(
    f"Time = {i}\nsmoothSolver:  Solving for Ux, Initial residual = 0.{i}, Final residual = {i}e-06, No Iterations 3\n"
    f"GAMG:  Solving for p, Initial residual = 0.5{i}, Final residual = {i}e-07, No Iterations 9\n"
    for i in (1, 2, 3)
)

GAUSSIAN = """\
 SCF Done:  E(RHF) =  -74.9607   A.U. after    7 cycles
 SCF Done:  E(RHF) =  -74.9659   A.U. after    6 cycles
"""

VASP = """\
 POSITION                                       TOTAL-FORCE (eV/Angst)
 ---------------------------------------------------------------------
      0.00000      0.00000      0.00000         0.100000     -0.200000
      1.35000      1.35000      1.35000        -0.100000      0.200000
 ---------------------------------------------------------------------
    total drift:                                0.000000      0.000000
"""

BUDGET = """\
  VOLUMETRIC BUDGET FOR ENTIRE MODEL AT END OF TIME STEP  1 IN STRESS PERIOD   1
      CUMULATIVE VOLUMES      L**3       RATES FOR THIS TIME STEP      L**3/T
           IN:                                      IN:
           ---                                      ---
             STORAGE =           0.0000               STORAGE =           0.5000
               WELLS =           1.0000                 WELLS =           2.5000
"""

REGRESSION = """\
Coefficients:
            Estimate Std. Error t value Pr(>|t|)
(Intercept)  37.2851     1.8776   19.86  < 2e-16 ***
wt           -5.3445     0.5591   -9.56 1.29e-10 ***
---
Signif. codes:  0 '***' 0.001
"""

BRACKETS = "result: [1.5, 2.5, 3.5]\nother: [9.5, 8.5, 7.5]\n"
MATRIX = "K =\n[[ 1.5  2.5]\n [ 3.5 -4.5]]\n"
UNITS_GLUED = "mass 12.5kg\nlength 3.2 mm\n"
PERCENT = "site share\nA 45.2%\nB 54.8%\n"
CLOCK = "time      flow\n00:00:00  1.5\n00:30:00  2.5\n01:00:00  3.5\n"
TABS = "name\ta\tb\tc\nx\t1.5\t\t2.5\ny\t3.5\t4.5\t5.5\nz\t6.5\t7.5\t8.5\n"
SIDE_BY_SIDE = " step  x    y      step  x    y\n 1  1.0  2.0      2  3.0  4.0\n 3  1.5  2.5      4  3.5  4.5\nend\n"

NAMELIST_WRAPPED = "&OUT\n A = 1.0, 2.0, 3.0,\n     4.0, 5.0\n B = 2*7.0\n/\n"
MISSING = "name value\nalpha 1.5\nbeta NaN\ngamma ----\ndelta 2.5\n"
MINUS_GLUED = " NODE    DISP-X    DISP-Y\n    1   -12.345   -67.890\n    2-11112.345-11167.890\n    3    12.345    67.890\n"
SEMICOLONS = "t;druck;temp\n0;1,5;20,1\n1;2,5;20,2\n"

# The initial state comes as the steps do, and one of its rows ends in a remark.
STEPS_AFTER_A_START = "".join(
    "--- composition ---\n Elements   Molality    Moles\n\n"
    f" Ca           {a}e-5   {a}e-5\n Cl           2.2e-4   2.2e-4{note}\n Si           {b}e-6   {b}e-6\n\n"
    for a, b, note in ((5.1, 0.1, "  Charge balance"), (5.2, 4.7, ""), (5.3, 8.9, ""), (5.4, 12.8, ""))
)

CASES_3 = (
    Case("a row of every table, behind a row with a remark in the first", STEPS_AFTER_A_START, "4.7e-6",
         "the row “Si” of column 2 (“Molality”), below “composition”, every time (4 times here)",
         ((1e-7, 4.7e-6, 8.9e-6, 1.28e-5),), scope="number", repeat="all"),
    Case("the same, without the initial state", STEPS_AFTER_A_START, "4.7e-6", "every time from the 2nd on (3 times here)",
         ((4.7e-6, 8.9e-6, 1.28e-5),), STEPS_AFTER_A_START.replace("12.8e-6", "11.0e-6"), ((4.7e-6, 8.9e-6, 1.1e-5),),
         scope="number", repeat="on"),
    Case("a column of every table with a remark in the first", STEPS_AFTER_A_START, "4.7e-6", "every time (4 times here)",
         ((5.1e-5, 2.2e-4, 1e-7, 5.2e-5, 2.2e-4, 4.7e-6, 5.3e-5, 2.2e-4, 8.9e-6, 5.4e-5, 2.2e-4, 1.28e-5),),
         scope="column", repeat="all"),
    Case("an array of a namelist over two lines", NAMELIST_WRAPPED, ("1.0", "5.0"),
         "“A”: 5 numbers, lines 2–3", ((1.0, 2.0, 3.0, 4.0, 5.0),),
         NAMELIST_WRAPPED.replace("5.0", "5.5, 6.0"), ((1.0, 2.0, 3.0, 4.0, 5.5, 6.0),)),
    Case("a number beside missing ones", MISSING, "2.5", "the number after “delta”", ((2.5,),),
         MISSING.replace("2.5", "----"), "no number follows the label “delta” in line 5, only “----”"),
    Case("decimals glued by their minus signs", MINUS_GLUED, ("-67.890", " 67.890"), "all 3 rows of characters 16–25",
         ((-67.89, -11167.89, 67.89),),
         MINUS_GLUED.replace("-11112.345-11167.890", "    12.345   167.890"), ((-67.89, 167.89, 67.89),)),
    Case("semicolons and decimal commas", SEMICOLONS, ("1,5", "2,5"), "all 2 rows of column 2 (“druck”)", ((1.5, 2.5),),
         SEMICOLONS + "2;3,5;20,3\n", ((1.5, 2.5, 3.5),)),
    Case("a residual at one iteration", ITERATIONS, "1.000e-03", "the third time it appears", ((1e-3,),)),
    Case("the residuals of every iteration", ITERATIONS, ("1.000e-01", "1.000e-04"), "all 4 rows of column 5",
         ((0.1, 0.01, 0.001, 0.0001),), LONGER, ((0.1, 0.01, 0.001, 0.0001, 0.00001),)),
    Case("the same by a click", ITERATIONS, "1.000e-03", "in every line with “residual” (4 here)", ((0.1, 0.01, 0.001, 0.0001),),
         LONGER, ((0.1, 0.01, 0.001, 0.0001, 0.00001),), scope="number", repeat="all"),
    Case("one of two alike residuals in a solver log", OPENFOAM, "0.53", "GAMG:  Solving for p, Initial residual", ((0.53,),),
         OPENFOAM.replace("0.53", "0.58"), ((0.58,),)),
    Case("the last energy of a chemistry code", GAUSSIAN, "-74.9659", "the number after “SCF Done:  E(RHF)”, the last time",
         ((-74.9659,),), GAUSSIAN + GAUSSIAN.splitlines()[1].replace("659", "661"), ((-74.9661,),)),
    Case("a block of forces between rules", VASP, ("0.100000", "0.200000#2"), "all 2 rows of columns 4–5",
         ((0.1, -0.1), (-0.2, 0.2)), VASP.replace("-0.200000", "-0.250000"), ((0.1, -0.1), (-0.25, 0.2))),
    Case("the second of two equal labels on a line", BUDGET, "2.5000", "“WELLS”, the last time", ((2.5,),),
         BUDGET.replace("2.5000", "3.5000"), ((3.5,),)),
    Case("coefficients with stars behind the row", REGRESSION, ("37.2851", "-5.3445"), "all 2 rows of column 2",
         ((37.2851, -5.3445),), REGRESSION.replace("-5.3445", "-6.3445"), ((37.2851, -6.3445),)),
    Case("a list in brackets", BRACKETS, ("1.5", "3.5"), "the row “result:” of columns 2–4", ((1.5, 2.5, 3.5),),
         BRACKETS.replace("2.5,", "2.75,"), ((1.5, 2.75, 3.5),)),
    Case("a matrix in brackets", MATRIX, "-4.5", "row 2 of column 3, below “K”", ((-4.5,),),
         MATRIX.replace("-4.5", "4.25"), ((4.25,),)),
    Case("a unit that touches its number", UNITS_GLUED, "12.5kg", "the number after “mass”", ((12.5,),),
         UNITS_GLUED.replace("12.5", "13.25"), ((13.25,),)),
    Case("a column of percentages", PERCENT, ("45.2", "54.8"), "all 2 rows of column 2 (“share”)", ((45.2, 54.8),)),
    Case("a flow beside times of day", CLOCK, "2.5", "row 2 of column 2 (“flow”), below “time flow”", ((2.5,),)),
    Case("a table of tabs with an empty cell", TABS, ("2.5", "8.5"), "all 3 rows of column 4 (“c”)", ((2.5, 5.5, 8.5),),
         TABS.replace("5.5", ""), "stands where|nothing where|breaks off"),
    Case("two tables side by side", SIDE_BY_SIDE, ("4.0", "4.5"), "all 2 rows of column 6", ((4.0, 4.5),)),
)  # fmt: skip
