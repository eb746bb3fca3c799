"""Texts of programs that print the same things once per pass of a loop; cases as in awkward_texts."""

from __future__ import annotations

from awkward_texts import Case


def pressures(run: int, passes: int = 4) -> tuple[float, ...]:
    return tuple(70.25 - 10.5 * k + run for k in range(passes))


def lammps(run: int, wide: bool = True, passes: int = 4) -> str:
    """As LAMMPS does: a heading at the top, then a row of the script's own print and a table of one row in each pass of a loop;
    then a minimisation whose table has more rows, and two more runs. ``wide``: the tables have a column more than those rows."""

    def table(number: int, rows: list[str]) -> str:
        body = "\n".join(f"{row}   13.{number}" if wide else row for row in rows)
        return (
            f"Setting up Verlet run ...\n  Time step     : 0.001\nStep PotEng Press Volume{' Lx' * wide}\n"
            f"{body}\nLoop time of {number}.443e-06 on 1 procs for 0 steps with 256 atoms\n\n"
            "Nlocal:        256.000 ave         256 max         256 min\nHistogram: 1 0 0 0 0 0 0 0 0 0\n\n"
            f"Total # of neighbors = {54784 - number}\nDangerous builds = 0\n"
        )

    text = "LAMMPS (29 Sep 2021)\nLatt PotEng Press Volume   (eV/atom, GPa, A^3/atom)\n"
    for k, press in enumerate(pressures(run, passes)):
        a = 3.3 + 0.1 * k
        text += f"Lattice spacing in x,y,z = {a:.4f} {a:.4f} {a:.4f}\nCreated 256 atoms\n"
        text += table(k, [f"       0    {-782.5 - k}    {press * 1e4:.2f}     {2299.5 + k}"])
        text += f"{a:.2f} {-3.0 - 0.25 * k} {press} {9.0 + k}\n"
    rows = [f"{10 * k:8d}    {-901.5 - k}    {run + 100 - 30 * k}.25     {2985.5 + k}" for k in range(run + 2)]
    minimized = table(5, rows).replace("Setting up Verlet run", "Setting up cg style minimization")
    runs = table(6, ["       6    -901.5    8505.5    3008.5"]) + table(7, ["       6    -901.75   -8252.5    3044.5"])
    return text + minimized + runs


def newton(run: int) -> str:
    """The iterations of each time step, of which one step takes more in one run than in another."""
    text = "NONLINEAR SOLVER\n"
    for step in range(1, 4):
        text += f"\nTime step {step}, t = 0.{step}0\n  iter    residual      norm_dx\n"
        for k in range(1, 2 + (step + run) % 3 + 1):
            text += f"  {k:4d}  {step}.{k}{run}e-0{k}  {step}.5{k}e-0{k}\n"
        text += f"  converged\n  tip deflection 0.{step}{run}5\n"
    return f"{text}\nend\n"


def load_cases(run: int) -> str:
    """Two tables with the same heading in each pass, of which one is wanted."""
    text = "FRAME ANALYSIS\n"
    for case in range(1, 4):
        text += f"\nLOAD CASE {case}\n\n  Displacements\n  node      x         y\n"
        text += "".join(f"  {k:4d}  0.00{case}{k}  0.0{run}{k}\n" for k in (1, 2, 3))
        text += "\n  Reactions\n  node      x         y\n"
        text += "".join(f"  {k:4d}  {case}{k}.25  {run}{case}.{k}5\n" for k in (1, 4))
    return text


def sweep(failed: int, warned: int) -> str:
    """A pass that failed prints no row, one that did not converge prints warnings first."""
    text = "SWEEP\n"
    for k in range(1, 6):
        text += f"solving point {k}\nflux  current  voltage\n"
        text += "WARNING: bisection did not converge, residual 3.1e-02\nresult may be inaccurate\n" if k == warned else ""
        text += "ERROR: singular matrix, skipped\n" if k == failed else f"0.{k}25 {k}.5 {k}{warned}.75\n"
        text += "cleaning up\n"
    return f"{text}finished\n"


def checkpoints(run: int, every: int) -> str:
    """A table with a banner after some rows."""
    text = "model v3\n\n  time   height   speed\n"
    for k in range(1, 8):
        text += f"  {k / 2}  {run}{k}.25  0.{k}5\n" + ("*** checkpoint written ***\n" if k % every == 0 else "")
    return f"{text}end of run\n"


def two_lists(run: int) -> str:
    """Another list of as many columns, whose numbers go on where those of the first end."""
    nodes = "".join(f"  {k}  {run}.{k}  0.{k}\n" for k in range(1, 5))
    elements = "".join(f"  {k}  {run}{k}.5  {k}.0\n" for k in range(5, 8))
    return f"NODES\n{nodes}\nELEMENTS (id, length, angle)\n{elements}end\n"


def pages(run: int) -> str:
    """One table over several pages, each with its headings."""
    text = ""
    for k in range(1, 10):
        if k % 4 == 1:
            text += f"\f1  HYDRO 7.2      catchment model       page {k // 4 + 1}\n\n   day    inflow    outflow\n\n"
        text += f"  {k:4d}   {run}{k}.125   {k}.5\n" + ("\n" if k % 4 == 0 else "")
    return f"{text}\n  *** END ***\n"


def stamped(run: int) -> str:
    """The time of day in the heading of each pass and before each row."""
    text = "log opened\n"
    for k in range(1, 5):
        text += f"[12:0{k}:{10 + run}] ---- cycle {k} ----\nT[K] p[bar] x\n30{k}.25 0.{run}{k} 0.5{k}\nwrote out_{k}.dat\n"
    return f"{text}bye\n"


def lone(run: int) -> str:
    """One number alone in its line, below lines of numbers."""
    return "quadrature\n" + "".join(f"{k} 5\n   0.{run}{k}25\n  --> stored\n" for k in range(1, 6)) + "done\n"


def progress(run: int) -> str:
    """Dots between rows that end with a word."""
    ends = ["no"] * 4 + ["YES"]
    rows = "".join(f"{'.' * (3 + k + run)}\n{k + 1} -76.{run}{k}5 1.0e-0{k + 1} {end}\n" for k, end in enumerate(ends))
    return f"Iter  energy   gnorm  conv\n{rows}optimised\n"


def halved(run: int, step: int) -> str:
    """A row of results after the iterations of each step; one step diverges and begins anew."""
    text = "t  h  q\n"
    for k in range(1, 5):
        text += f"step {k}\n  it   err\n  1  {k}.5e-01\n  2  {k}.25e-02\n"
        text += "  diverged, halving the step\n  it   err\n  1  1.5e-01\n  2  2.5e-02\n" if k == step else ""
        text += f"0.{k} {run}.{k}5 {k}{run}.5\n"
    return text


def named(run: int) -> str:
    """Rows that begin with a name, one in each pass."""
    text = "Sweep over elements\nelem a E p\n"
    for k, name in enumerate(("Cu", "Ag", "Au", "Ni"), 1):
        text += f"reading potential {name}.pot\nrelaxing, {k + run} steps\n{name} 3.{k}0 -{run}.{k}5 {k}0.5\nclosed\n"
    return f"{text}all done\n"


def warned(run: int) -> str:
    """A remark before the row of each pass, which is another one where something was slow."""
    text = "sweep\n"
    for k in range(1, 5):
        text += f"minimising\n{'WARN slow' if k == run else 'fine'}\n3.{k}0  -{run}.{k}5  {k}0.5\n"
    return f"{text}all done\n"


def two_rows(run: int) -> str:
    """Two rows of as many numbers in each pass, each below its own title."""
    text = "DIPOLE\n"
    for k in range(1, 5):
        text += f"\n  INPUT\n  {k}  {run}.{k}5  7{k}.5\n\n  POWER BUDGET\n  {k}  0.{run}{k}  9{k}.5\n"
    return f"{text}\n  end\n"


def noted(run: int) -> str:
    """A remark behind each row: nothing stands above the first that stands above the others."""
    text = "  Results\n\n     Param      Energy    Press.\n               [eV]      [GPa]\n"
    for k in range(1, 5):
        text += f"     3.{k}0     -{run}.{k}5     {k}0.5\n   (took {k + run} cycles)\n"
    return f"{text}\n  end\n"


def separated(run: int) -> str:
    """Rows of cells with commas among lines of a log."""
    text = "a,E,p\n"
    for k in range(1, 5):
        text += f"INFO building lattice {k}\nINFO relax: {k + run} steps\n3.3{k},-{run}.{k}5,{k}0.5\nINFO ok\n"
    return f"{text}bye\n"


def _bars(run: int, passes: int = 4) -> tuple[float, ...]:
    return tuple(p * 1e4 for p in pressures(run, passes))


def _heights(run: int) -> tuple[float, ...]:
    return tuple(10.0 * run + k + 0.25 for k in range(1, 8))


CASES_8 = (
    Case("a heading whose rows come one in each pass", lammps(1), "Press",
         "all 4 rows of column 3 (“Press”), below “Latt PotEng Press Volume (eV/atom, GPa, A^3/atom)”", (pressures(1),),
         lammps(2), (pressures(2),)),
    Case("a number of a row in each pass", lammps(1), " 60.75 ",
         "row 1 of column 3 (“Press”), below “Dangerous builds”, every time a row follows (4 times here)", (pressures(1),),
         lammps(2), (pressures(2),), scope="number", repeat="all"),
    Case("a column of rows in each pass", lammps(1), " 71.25 ", "all 4 rows of column 3 (“Press”), below “Latt PotEng",
         (pressures(1),), lammps(2), (pressures(2),), scope="column"),
    Case("a heading whose rows have as many cells as others with a heading of their own", lammps(1, wide=False), "Press",
         "row 1 of column 3 (“Press”), below “Dangerous builds”, every time a row follows (4 times here)", (pressures(1),),
         lammps(2, wide=False), (pressures(2),)),
    Case("the tables of a loop, not those of runs behind it", lammps(1), "Press#2",
         "below “Step PotEng Press Volume Lx”, the first 4 times", (_bars(1),), lammps(2), (_bars(2),),
         scope="column", repeat="loop"),
    Case("these where another run has more passes", lammps(1), "Press#2",
         "below “Step PotEng Press Volume Lx”, all but the last 3 times (4 times here)", (_bars(1),), lammps(2, passes=5),
         (_bars(2, 5),), scope="column", repeat="loop"),
    Case("a number of the tables down to this one", lammps(1), "607500.00",
         "row 1 of column 3 (“Press”), below “Step PotEng Press Volume Lx”, the first 2 times", (_bars(1)[:2],),
         lammps(2), (_bars(2)[:2],), scope="number", repeat="up"),
    Case("the last row of every step, whose iterations vary", newton(1), "1.41e-04",
         "the last row of column 2 (“residual”), below “Time step”, every time", ((0.000141, 0.0221, 0.00331),), newton(2),
         ((0.0122, 0.00232, 0.000342),), scope="number", repeat="all"),
    Case("one of two tables of each pass", load_cases(1), "y#2",
         "all rows of column 3 (“y”), below “Reactions”, every time (3 times here)",
         ((11.15, 11.45, 12.15, 12.45, 13.15, 13.45),), load_cases(2),
         ((21.15, 21.45, 22.15, 22.45, 23.15, 23.45),), scope="column", repeat="all"),
    Case("a sweep with a point that failed and one that warned", sweep(5, 2), "current",
         "below “flux current voltage”, every time a row follows (4 times here)", ((1.5, 2.5, 3.5, 4.5),), sweep(5, 3),
         ((1.5, 2.5, 3.5, 4.5),), scope="column", repeat="all"),
    Case("a table with banners between its rows", checkpoints(1, 3), "height",
         "all 7 rows of column 2 (“height”), below “model v3”; other lines between the rows are passed over", (_heights(1),),
         checkpoints(2, 2), (_heights(2),)),
    Case("a list behind which another one goes on counting", two_lists(1), "1.2", "all 4 rows of column 2, below “NODES”",
         ((1.1, 1.2, 1.3, 1.4),), two_lists(2), ((2.1, 2.2, 2.3, 2.4),), scope="column"),
    Case("a row behind a banner", checkpoints(1, 3), "15.25", "row 5 of column 2 (“height”), below “model v3”", ((15.25,),),
         checkpoints(2, 2), ((25.25,),)),
    Case("one table over several pages", pages(1), "inflow", "every time (3 times here)",
         (tuple(10.125 + k for k in range(1, 10)),), pages(2), (tuple(20.125 + k for k in range(1, 10)),),
         scope="column", repeat="all"),
    Case("passes with the time of day in their headings", stamped(1), "p[bar]",
         "below “T[K] p[bar] x”, every time (4 times here)", ((0.11, 0.12, 0.13, 0.14),), stamped(2),
         ((0.21, 0.22, 0.23, 0.24),), scope="column", repeat="all"),
    Case("a number alone in its line, once in each pass", lone(1), "0.1325", "all 5 rows of column 1, below “quadrature”",
         ((0.1125, 0.1225, 0.1325, 0.1425, 0.1525),), lone(2), ((0.2125, 0.2225, 0.2325, 0.2425, 0.2525),), scope="column"),
    Case("rows between dots", progress(1), "energy", "all 5 rows of column 2 (“energy”), below “Iter energy gnorm conv”",
         ((-76.105, -76.115, -76.125, -76.135, -76.145),), progress(2), ((-76.205, -76.215, -76.225, -76.235, -76.245),)),
    Case("results behind iterations that may begin anew", halved(1, 2), "1.35",
         "row 1 of column 2 (“h”), below “it err”, every time a row follows (4 times here)", ((1.15, 1.25, 1.35, 1.45),),
         halved(2, 3), ((2.15, 2.25, 2.35, 2.45),), scope="number", repeat="all"),
    Case("one of these results where in the other run no step began anew", halved(1, 2), "1.35",
         "row 1 of column 2 (“h”), below “it err”, the 3rd time a row follows", ((1.35,),), halved(2, 0), ((2.35,),)),
    Case("rows with a name, one in each pass", named(1), "E p", "all 4 rows of column 3 (“E”), below “elem a E p”",
         ((-1.15, -1.25, -1.35, -1.45),), named(2), ((-2.15, -2.25, -2.35, -2.45),)),
    Case("a text that comes before some of the rows only", warned(1), "-1.25",
         "row 1 of column 2, below “minimising”, the 2nd time", ((-1.25,),), warned(2), ((-2.25,),)),
    Case("every row though the text above comes before some only", warned(1), "-1.25",
         "row 1 of column 2, below “minimising”, every time (4 times here)", ((-1.15, -1.25, -1.35, -1.45),), warned(2),
         ((-2.15, -2.25, -2.35, -2.45),), scope="number", repeat="all"),
    Case("one of two rows of as many numbers in each pass", two_rows(1), "73.5",
         "row 1 of column 3, below “INPUT”, every time (4 times here)", ((71.5, 72.5, 73.5, 74.5),), two_rows(2),
         ((71.5, 72.5, 73.5, 74.5),), scope="number", repeat="all"),
    Case("every row though nothing stands above the first", noted(1), "-1.25", "all 4 rows of column 2, below “Results”",
         ((-1.15, -1.25, -1.35, -1.45),), noted(2), ((-2.15, -2.25, -2.35, -2.45),), scope="number", repeat="all"),
    Case("cells with commas among lines of a log", separated(1), "E", "all 4 rows of column 2 (“E”), below “a,E,p”",
         ((-1.15, -1.25, -1.35, -1.45),), separated(2), ((-2.15, -2.25, -2.35, -2.45),), scope="column"),
)  # fmt: skip
