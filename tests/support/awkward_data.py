"""Data files as people have them, named by what is awkward, and what the window should propose for each."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime, time, timedelta
from typing import Any

from bayescope.engine.problem.data.files.data_files import ALL_PARTS
from sheet_files import ods, xlsx

T, U, E = (0.0, 1.0, 2.0), (1.5, 2.5, 3.5), (0.1, 0.2, 0.1)
UNITS = {"t (s)": T, "u (m)": U}
PLAIN: dict[str, tuple[float | None, ...]] = {"t": T, "u": U}


@dataclass(frozen=True)
class Awkward:
    """``says``: what the error says (then there is no table), or else what a note says; '' for nothing in particular."""

    name: str
    data: bytes
    columns: dict[str, tuple[float | None, ...]] | None = None
    texts: dict[str, tuple[str | None, ...]] = field(default_factory=dict)
    says: str = ""
    outputs: tuple[str, ...] = ()
    part: int | None = None


def right(
    name: str, text: str | bytes, columns: Any = PLAIN, texts: Any = None, says: str = "", **more: Any
) -> Awkward:
    return Awkward(name, text if isinstance(text, bytes) else text.encode(), columns, texts or {}, says, **more)


def told(name: str, text: str | bytes, says: str, **more: Any) -> Awkward:
    return Awkward(name, text if isinstance(text, bytes) else text.encode(), None, {}, says, **more)


def merged_labels(book: Any) -> None:
    book.active = 0
    book.worksheets[0].merge_cells("A2:A3")


def merged_heading(book: Any) -> None:
    book.worksheets[0].merge_cells("B1:C1")


def hide_first(book: Any) -> None:
    book.worksheets[0].sheet_state = "hidden"


def serials(book: Any) -> None:
    for row in (2, 3):
        book.worksheets[0].cell(row, 1).number_format = "General"


ROWS = [["t", "u"], [0, 1.5], [1, 2.5], [2, 3.5]]
AWKWARD_DATA = (
    # ---- encodings and line ends
    right("a byte order mark", b"\xef\xbb\xbft,u\n0,1.5\n1,2.5\n2,3.5\n"),
    right("UTF-16 from a spreadsheet", "t\tu\n0\t1.5\n1\t2.5\n2\t3.5\n".encode("utf-16")),
    told("UTF-16 without its mark", "t\tu\n0\t1.5\n".encode("utf-16-le"), "zero bytes"),
    right(
        "Latin-1 letters in the heading",
        "t,größe\n0,1.5\n1,2.5\n2,3.5\n".encode("latin-1"),
        {"t": T, "größe": U},
        says="not UTF-8",
    ),
    right("lone carriage returns", "t,u\r0,1.5\r1,2.5\r2,3.5\r"),
    right("an end-of-file mark of DOS", b"t,u\r\n0,1.5\r\n1,2.5\r\n2,3.5\r\n\x1a"),
    # ---- comments, titles, headings
    right("comments with #", "# by hand\nt,u\n0,1.5\n# a pause\n1,2.5\n2,3.5\n"),
    right("comments with %", "% by hand\nt u\n0 1.5\n1 2.5\n2 3.5\n"),
    right("comments with ;", "; by hand\nt,u\n0,1.5\n; a pause\n1,2.5\n2,3.5\n"),
    right("comments with //", "// by hand\nt u\n0 1.5\n1 2.5\n2 3.5\n"),
    right("the heading is the last comment", "# May 2024\n# t u\n0 1.5\n1 2.5\n2 3.5\n"),
    right(
        "a title above the table", "Measured in May 2024 by me\nt,u\n0,1.5\n1,2.5\n2,3.5\n", says="taken for a title"
    ),
    right("titles and a blank line above", "Station 7\nSouth bank of the river\n\nt,u\n0,1.5\n1,2.5\n2,3.5\n"),
    right("units in a second line", "t,u\n(s),(m)\n0,1.5\n1,2.5\n2,3.5\n", {"t (s)": T, "u (m)": U}),
    right("units in brackets", "t [s],u [m]\n0,1.5\n1,2.5\n2,3.5\n", {"t [s]": T, "u [m]": U}),
    right("names above units in comments", "# t u\n# [s] [m]\n0 1.5\n1 2.5\n2 3.5\n", UNITS),
    right("names above bare units in comments", "# t   u\n# s   m\n0 1.5\n1 2.5\n2 3.5\n", UNITS),
    right("names above units in comments, with tabs", "# t\tu\n# [s]\t[m]\n0\t1.5\n1\t2.5\n2\t3.5\n", UNITS),
    right("names, units and a rule in comments, below a remark",
          "# Como, 2 May\n#\n# t u\n#\n# (s) (m)\n# ------\n\n0 1.5\n1 2.5\n2 3.5\n", UNITS),
    right("a remark below the units in comments", "! t u\n! [s] [m]\n! by hand\n0 1.5\n1 2.5\n2 3.5\n", UNITS),
    right("names in a line, units in a comment below it", "t u\n# [s] [m]\n0 1.5\n1 2.5\n2 3.5\n", UNITS),
    right("names of words in comments, units with spaces", "% t   water level\n% [s] [m a.s.l.]\n0 1.5\n1 2.5\n2 3.5\n",
          {"t (s)": T, "water level (m a.s.l.)": U}),
    right("units of some columns in a comment", "# t u v\n# [s] [m]\n0 1.5 1\n1 2.5 1\n2 3.5 1\n",
          {**PLAIN, "v": (1.0, 1.0, 1.0)}),
    right("units in comments, and no names", "# [s] [m]\n0 1.5\n1 2.5\n2 3.5\n", {"column 1 (s)": T, "column 2 (m)": U}),
    right("blank lines and units between names and numbers, with tabs", "t\tu\n\n[s]\t[m]\n\n0\t1.5\n1\t2.5\n2\t3.5\n", UNITS),
    right("blank cells between names and units", "t,u\n,\n[s],[m]\n,\n0,1.5\n1,2.5\n2,3.5\n", UNITS),
    right("blank cells between names and numbers", "t;u\n;\n0;1,5\n1;2,5\n2;3,5\n"),
    right("tabs alone between names and numbers", "t\tu\n\t\n0\t1.5\n1\t2.5\n2\t3.5\n"),
    right("a title without tabs above names with them", "Station 7\n\nt\tu\n\t\n0\t1.5\n1\t2.5\n2\t3.5\n",
          says="taken for a title"),
    right("a name without a unit", "t\tu\n\t[m]\n0\t1.5\n1\t2.5\n2\t3.5\n", {"t": T, "u (m)": U}),
    right("no heading", "0,1.5\n1,2.5\n2,3.5\n", {"column 1": T, "column 2": U}, says="no header"),
    right("a rule below the heading", "t      u\n------ ------\n0      1.5\n1      2.5\n2      3.5\n"),
    right("a table of Markdown", "| t | u |\n|---|---|\n| 0 | 1.5 |\n| 1 | 2.5 |\n| 2 | 3.5 |\n"),
    right("spaced names in a heading", "t   flow rate\n0   1.5\n1   2.5\n2   3.5\n", {"t": T, "flow rate": U}),
    right(
        "R leaves out the name of the row labels",
        '"t" "u"\n"a" 0 1.5\n"b" 1 2.5\n"c" 2 3.5\n',
        PLAIN,
        {"column 1": ("a", "b", "c")},
    ),
    right("pandas writes a nameless index", ",t,u\n0,0,1.5\n1,1,2.5\n2,2,3.5\n", {"column 1": T, **PLAIN}),
    right("Excel says sep=;", "sep=;\nt;u\n0;1,5\n1;2,5\n2;3,5\n"),
    right(
        "two columns of one name",
        "t,u,u\n0,1.5,9\n1,2.5,8\n2,3.5,7\n",
        {**PLAIN, "u_2": (9.0, 8.0, 7.0)},
        says="Two columns are called “u”",
    ),
    right(
        "a remark beside the first row only",
        "t,u,note\n0,1.5,bad light\n1,2.5,\n2,3.5,\n",
        PLAIN,
        {"note": ("bad light", None, None)},
    ),
    right(
        "a remark beside the first row, and no heading",
        "0,1.5,bad light\n1,2.5,\n2,3.5,\n",
        {"column 1": T, "column 2": U},
        {"column 3": ("bad light", None, None)},
    ),
    # ---- cells and lines
    right("a delimiter at the end of each line", "t,u,\n0,1.5,\n1,2.5,\n2,3.5,\n"),
    right("an empty column in the middle", "t,,u\n0,,1.5\n1,,2.5\n2,,3.5\n", says="no values and is left out"),
    told("a ragged row", "t,u\n0,1.5\n1\n2,3.5\n", "Line 3 of .* has 1 cell, the header has 2"),
    right(
        "a quoted cell over two lines",
        't,u,note\n0,1.5,"wind\nfrom west"\n1,2.5,calm\n2,3.5,calm\n',
        PLAIN,
        {"note": ("wind from west", "calm", "calm")},
    ),
    right(
        "delimiters inside quotes", 't,u,note\n0,1.5,"a, b"\n1,2.5,c\n2,3.5,d\n', PLAIN, {"note": ("a, b", "c", "d")}
    ),
    right("spaces of the kind that never break", "t;u\n0;\u00a01.5\n1;2.5\u00a0\n2;3.5\n"),
    right(
        "a total at the end", "t,u\n0,1.5\n1,2.5\n2,3.5\nTotal,7.5\n", says="“Total”. is left out: it sums up the rows"
    ),
    right("a source below the table", "t,u\n0,1.5\n1,2.5\n2,3.5\nSource: own measurements\n", says="is left out"),
    # ---- numbers
    right("a decimal comma between semicolons", "t;u\n0;1,5\n1;2,5\n2;3,5\n"),
    right("a decimal comma between tabs", "t\tu\n0\t1,5\n1\t2,5\n2\t3,5\n"),
    told("a comma that can be read in two ways", "t;u\n0;1,500\n1;2,500\n", "in two ways"),
    right(
        "commas between thousands in quotes",
        't,u\n0,"1,500.5"\n1,"2,500.5"\n',
        {"t": (0.0, 1.0), "u": (1500.5, 2500.5)},
        says="commas stand between thousands, “1,500.5” is 1500.5",
    ),
    right("a minus sign of typesetters", "t,u\n0,\u22121.5\n1,2.5\n2,3.5\n", {"t": T, "u": (-1.5, 2.5, 3.5)}),
    right("exponents of Fortran", "t u\n0 1.5D+00\n1 0.25D1\n2 3.5d0\n"),
    right("per cent in the cells", "t,u\n0,1.5 %\n1,2.5 %\n2,3.5 %\n", {"t": T, "u (%)": U}, says="percentages"),
    right("units in the cells", "t,u\n0,1.5 mm\n1,2.5 mm\n2,3.5 mm\n", {"t": T, "u (mm)": U}, says="the unit mm"),
    right(
        "plus-minus in the cells", "t;u\n0;1.5 ± 0.1\n1;2.5 ± 0.2\n2;3.5 ± 0.1\n", {**PLAIN, "u sd": (0.1, 0.2, 0.1)}
    ),
    right(
        "plus-minus between spaces",
        "t u\n0 1.5 +/- 0.1\n1 2.5 +/- 0.2\n2 3.5 +/- 0.1\n",
        {**PLAIN, "u sd": (0.1, 0.2, 0.1)},
    ),
    right(
        "errors of the last digits in brackets",
        "t,u\n0,1.5(1)\n1,2.50(12)\n2,3.5(2)\n",
        {**PLAIN, "u sd": (0.1, 0.12, 0.2)},
    ),
    right("a value below the detection limit", "t,u\n0,1.5\n1,<0.05\n2,3.5\n", {"t": T, "u": (1.5, None, 3.5)},
          says="1 of 3 cells gives a limit only"),
    right(
        "only limits", "t,u\n0,<0.1\n1,<0.05\n", {"t": (0.0, 1.0)}, {"u": ("<0.1", "<0.05")}, says="limit, not a value"
    ),
    # ---- columns of errors
    right("errors called just +-", "t,X,+-\n0,1.5,.1\n1,2.5,.2\n2,3.5,.1\n", {"t": T, "X": U, "± X": E},
          says="“\\+-”, is called “± X”"),
    right("errors called just ±, with their unit, and others", "t;T [K];± [K];p;±\n0;1.5;.1;9;1\n1;2.5;.2;8;1\n2;3.5;.1;7;1\n",
          {"t": T, "T [K]": U, "± T [K]": E, "p": (9.0, 8.0, 7.0), "± p": (1.0, 1.0, 1.0)}),
    right("errors called just err, twice", "t u err v err\n0 1.5 .1 9 1\n1 2.5 .2 8 1\n2 3.5 .1 7 1\n",
          {**PLAIN, "± u": E, "v": (9.0, 8.0, 7.0), "± v": (1.0, 1.0, 1.0)}),
    right("errors in percent called ±", "t,u,± (%)\n0,1.5,10\n1,2.5,10\n2,3.5,10\n", {**PLAIN, "± u (%)": (10.0, 10.0, 10.0)}),
    right("standard uncertainties by GUM", "t,u,u(k=1) of u\n0,1.5,.1\n1,2.5,.2\n2,3.5,.1\n", {**PLAIN, "± u": E}),
    right("expanded uncertainties", "t,u,U(k=2)\n0,1.5,.2\n1,2.5,.4\n2,3.5,.2\n", {**PLAIN, "± u": E}, says="divided by 2"),
    right("a column called k=2", "t,u [K],k=2\n0,1.5,.2\n1,2.5,.4\n2,3.5,.2\n", {"t": T, "u [K]": U, "± u [K]": E}, says="k = 2"),
    right("expanded uncertainties of another unit", "t,u,U (k = 2) (mK)\n0,1.5,.2\n1,2.5,.4\n2,3.5,.2\n",
          {**PLAIN, "± u (mK)": E}),
    right("two sigma", "t,u,2\u03c3\n0,1.5,.2\n1,2.5,.4\n2,3.5,.2\n", {**PLAIN, "± u": E}),
    right("modes that are numbered by k", "t,k=1,k=2\n0,1.5,9\n1,2.5,8\n2,3.5,7\n", {"t": T, "k=1": U, "k=2": (9.0, 8.0, 7.0)}),
    right("a function of k", "t,P(k=1),P(k=2)\n0,1.5,9\n1,2.5,8\n2,3.5,7\n", {"t": T, "P(k=1)": U, "P(k=2)": (9.0, 8.0, 7.0)}),
    right("one column of errors behind two quantities", "t,u,v,err\n0,1.5,9,.1\n1,2.5,8,.2\n2,3.5,7,.1\n",
          {**PLAIN, "v": (9.0, 8.0, 7.0), "err": E}),
    right("a value and its error", "t,value,err\n0,1.5,.1\n1,2.5,.2\n2,3.5,.1\n", {"t": T, "value": U, "err": E}),
    # ---- missing values
    right("missing values as NA", "t,u\n0,1.5\n1,NA\n2,3.5\n", {"t": T, "u": (1.5, None, 3.5)}),
    right("missing values as --", "t,u\n0,1.5\n1,--\n2,3.5\n", {"t": T, "u": (1.5, None, 3.5)}),
    right("missing values as n.d.", "t,u\n0,1.5\n1,n.d.\n2,3.5\n", {"t": T, "u": (1.5, None, 3.5)}),
    right(
        "missing values as -999",
        "t,u\n0,1.5\n1,-999\n2,3.5\n",
        {"t": T, "u": (1.5, None, 3.5)},
        says="-999 looks like a mark",
    ),
    right("a true value that is no mark", "t,u\n0,-500\n1,-999\n2,-1200\n", {"t": T, "u": (-500.0, -999.0, -1200.0)}),
    # ---- times and dates
    right(
        "times of the day",
        "t,u\n00:00:00,1.5\n00:30:00,2.5\n01:00:00,3.5\n",
        {"u": U},
        {"t": ("00:00:00", "00:30:00", "01:00:00")},
        says="times or dates",
    ),
    right(
        "dates as ISO writes them",
        "t,u\n2024-05-01,1.5\n2024-05-02,2.5\n",
        {"u": (1.5, 2.5)},
        {"t": ("2024-05-01", "2024-05-02")},
    ),
    right(
        "dates with dots, day first",
        "t;u\n01.05.2024;1,5\n02.05.2024;2,5\n",
        {"u": (1.5, 2.5)},
        {"t": ("01.05.2024", "02.05.2024")},
        says="times or dates",
    ),
    right(
        "dates with slashes, month first",
        "t,u\n05/30/2024,1.5\n05/31/2024,2.5\n",
        {"u": (1.5, 2.5)},
        {"t": ("2024-05-30", "2024-05-31")},
    ),
    right(
        "dates with slashes, day first",
        "t,u\n30/05/2024,1.5\n31/05/2024,2.5\n",
        {"u": (1.5, 2.5)},
        {"t": ("2024-05-30", "2024-05-31")},
    ),
    right(
        "dates that can be read in two ways",
        "t,u\n01/05/2024,1.5\n02/05/2024,2.5\n",
        {"u": (1.5, 2.5)},
        {"t": ("01/05/2024", "02/05/2024")},
        says="either number may be the month",
    ),
    # ---- several quantities
    right(
        "long form",
        "node,what,value\nA,u,1.5\nB,u,2.5\nA,v,9\nB,v,8\n",
        {"u": (1.5, 2.5, None, None), "v": (None, None, 9.0, 8.0)},
        {"node": ("A", "B", "A", "B")},
        outputs=("u", "v"),
    ),
    right(
        "long form with errors",
        "what,t,value,sd\nu,0,1.5,.1\nu,1,2.5,.1\nv,0,9,1\n",
        {
            "t": (0.0, 1.0, 0.0),
            "u": (1.5, 2.5, None),
            "u sd": (0.1, 0.1, None),
            "v": (None, None, 9.0),
            "v sd": (None, None, 1.0),
        },
        outputs=("u", "v"),
    ),
    right(
        "more text than numbers, and a decimal comma",
        "node;what;who;when;value\nA1;u;me;May;1,5\nA2;u;me;May;2,5\nB7;v;me;June;3\n",
        {"value": (1.5, 2.5, 3.0)},
    ),
    right(
        "a decimal comma in one of three columns between semicolons",
        "# long form\nTime [hh:mm:ss];Probe;T [°C]\n00:10:00;P1;34,17\n00:10:00;P2;31,97\n00:20:00;P1;48,18\n00:20:00;P2;42,72\n",
        {"T [°C]": (34.17, 31.97, 48.18, 42.72)},
        {"Time [hh:mm:ss]": ("00:10:00", "00:10:00", "00:20:00", "00:20:00"), "Probe": ("P1", "P2", "P1", "P2")},
    ),
    right(
        "a decimal comma in one of three columns between semicolons, without a heading",
        "00:10:00;P1;34,17\n00:10:00;P2;31,97\n00:20:00;P1;48,18\n00:20:00;P2;42,72\n",
        {"column 3": (34.17, 31.97, 48.18, 42.72)},
        {"column 1": ("00:10:00", "00:10:00", "00:20:00", "00:20:00"), "column 2": ("P1", "P2", "P1", "P2")},
    ),
    right(
        "lists between semicolons in a cell of a table with commas",
        "t,who,u\n0,a;b,1.5\n1,b;c,2.5\n2,c;a,3.5\n", PLAIN, {"who": ("a;b", "b;c", "c;a")},
    ),
    right("wide form with blanks", "t,u,v\n0,1.5,\n1,2.5,9\n2,3.5,\n", {**PLAIN, "v": (None, 9.0, None)}),
    right("on its side", "t,0,1,2\nu,1.5,2.5,3.5\n", outputs=("t", "u"), says="was turned"),
    right(
        "on its side, and nobody knows the names",
        "a 0 1 2\nb 1.5 2.5 3.5\n",
        {"column 2": (0.0, 1.5), "column 3": (1.0, 2.5), "column 4": (2.0, 3.5)},
        {"column 1": ("a", "b")},
        says="to be turned",
    ),
    right("two tables, the first", "t,u\n0,1.5\n1,2.5\n2,3.5\n\nmode,f\n1,10.5\n2,20.5\n", says="2 tables"),
    right(
        "two tables, the second",
        "t,u\n0,1.5\n1,2.5\n2,3.5\n\nmode,f\n1,10.5\n2,20.5\n",
        {"mode": (1.0, 2.0), "f": (10.5, 20.5)},
        part=1,
    ),
    right(
        "two tables under headings, both",
        "DISPLACEMENTS\nnode u\nA 1.5\nB 2.5\n\nFREQUENCIES\nmode f\n1 10.5\n2 20.5\n",
        {"u": (1.5, 2.5, None, None), "mode": (None, None, 1.0, 2.0), "f": (None, None, 10.5, 20.5)},
        {"node": ("A", "B", None, None)},
        part=ALL_PARTS,
    ),
    right("blank lines within one table", "t,u\n0,1.5\n\n1,2.5\n\n2,3.5\n"),
    # ---- keys
    right("the same key twice", "t,u\n0,1.5\n0,2.5\n1,3.5\n", {"t": (0.0, 0.0, 1.0), "u": U}),
    right("keys out of order", "t,u\n2,3.5\n0,1.5\n1,2.5\n", {"t": (2.0, 0.0, 1.0), "u": (3.5, 1.5, 2.5)}),
    right("trailing spaces in labels", "node;u\nA1 ;1.5\n B2;2.5\n", {"u": (1.5, 2.5)}, {"node": ("A1", "B2")}),
    right("labels that are digits and letters", "node,u\n1a,1.5\n2a,2.5\n", {"u": (1.5, 2.5)}, {"node": ("1a", "2a")}),
    right("sodium among labels", "ion,u\nNa,1.5\nK,2.5\nNA,3.5\n", {"u": U}, {"ion": ("Na", "K", None)}),
    # ---- spreadsheets
    right("an Excel file", xlsx({"Tabelle1": ROWS})),
    right("an OpenDocument file", ods({"Sheet1": ROWS})),
    right(
        "a table that does not begin at A1",
        xlsx({"S": [[], [None, "Report of May"], [], *[[None, *row] for row in ROWS]]}),
    ),
    right(
        "merged labels in Excel",
        xlsx({"S": [["node", "u"], ["A", 1.5], [None, 2.5], ["B", 3.5]]}, merged_labels),
        {"u": U},
        {"node": ("A", "A", "B")},
    ),
    right(
        "a merged heading in Excel",
        xlsx({"S": [["t", "run", None], [None, "u", "v"], [0, 1.5, 9], [1, 2.5, 8]]}, merged_heading),
        {"t": (0.0, 1.0), "run u": (1.5, 2.5), "run v": (9.0, 8.0)},
    ),
    right("a hidden first sheet", xlsx({"old": [["x"], [1], [2]], "new": ROWS}, hide_first), says="2 tables"),
    right(
        "several sheets, both",
        xlsx({"a": ROWS, "b": [["mode", "f"], [1, 10.5], [2, 20.5]]}),
        {
            "t": (*T, None, None),
            "u": (*U, None, None),
            "mode": (None,) * 3 + (1.0, 2.0),
            "f": (None,) * 3 + (10.5, 20.5),
        },
        part=ALL_PARTS,
    ),
    right(
        "several tables in one sheet", xlsx({"S": [*ROWS, [], ["mode", "f"], [1, 10.5], [2, 20.5]]}), says="2 tables"
    ),
    told(
        "formulas without stored results",
        xlsx({"S": [["=1+1", "=2+2"], ["=1+2", "=2+3"]]}),
        "Open it in a spreadsheet program",
    ),
    right("numbers stored as text", xlsx({"S": [["t", "u"], ["0", "1.5"], ["1", "2.5"], ["2", "3.5"]]})),
    right("numbers stored as text with a comma", xlsx({"S": [["t", "u"], ["0", "1,5"], ["1", "2,5"], ["2", "3,5"]]})),
    right(
        "dates in Excel",
        xlsx({"S": [["day", "u"], [date(2024, 5, 1), 1.5], [datetime(2024, 5, 2, 6), 2.5]]}),
        {"u": (1.5, 2.5)},
        {"day": ("2024-05-01", "2024-05-02 06:00:00")},
    ),
    right(
        "dates as serial numbers of Excel",
        xlsx({"S": [["day", "u"], [45413, 1.5], [45414, 2.5]]}, serials),
        {"day": (45413.0, 45414.0), "u": (1.5, 2.5)},
    ),
    right(
        "times in Excel",
        xlsx({"S": [["t", "u"], [time(0, 30), 1.5], [timedelta(hours=30), 2.5]]}),
        {"u": (1.5, 2.5)},
        None,
    ),
    told("an empty Excel file", xlsx({"S": []}), "All its sheets are empty"),
    told("an Excel file that is damaged", xlsx({"S": ROWS})[:2000], "damaged"),
    told("an old Excel file", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600), "old office document"),
    told("a heading and nothing below", "t,u\n", "no"),
    told("a text without numbers", "hello\nworld\n", "numbers"),
    # ---- as instruments and services deliver them
    right("a TOA5 file of a Campbell logger",
          '"TOA5","CR1000","CR1000","123","CR1000.Std.31","CPU:s.CR1","45","T1"\n"TIMESTAMP","RECORD","AirT_Avg","RH"\n'
          '"TS","RN","Deg C","%"\n"","","Avg","Smp"\n"2024-05-01 00:10:00",0,12.3,88\n"2024-05-01 00:20:00",1,12,"NAN"\n',
          {"RECORD": (0.0, 1.0), "AirT_Avg (Deg C)": (12.3, 12.0), "RH (%)": (88.0, None)},
          {"TIMESTAMP": ("2024-05-01 00:10:00", "2024-05-01 00:20:00")}),
    right("a HOBO file with serial numbers in its heading",
          '\ufeff"Plot Title: Pond 3"\n"#","Date Time, GMT+02:00","Temp, °C (LGR S/N: 1, SEN S/N: 1)",'
          '"End Of File (LGR S/N: 1)"\n'
          "1,05/21/24 12:30:00 PM,18.5,\n2,05/21/24 01:30:00 PM,19.1,\n3,05/21/24 01:31:10 PM,,Logged\n",
          {"#": (1.0, 2.0, 3.0), "Temp (°C)": (18.5, 19.1, None)},
          {"Date Time (GMT+02:00)": ("2024-05-21 12:30:00 PM", "2024-05-21 01:30:00 PM", "2024-05-21 01:31:10 PM"),
           "End Of File": (None, None, "Logged")}, says="holds times or dates"),
    right("units with raised digits below the names", "obs,A\n,µmol m⁻² s⁻¹\n1,1.5\n2,2.5\n3,3.5\n",
          {"obs": (1.0, 2.0, 3.0), "A (µmol m⁻² s⁻¹)": U}),
    right("an IC50 with its interval in the cell", "c;IC50 (nM)\n1;12.3 (11.1-13.9)\n2;45.0 (40.2-50.1)\n",
          {"c": (1.0, 2.0), "IC50 (nM)": (12.3, 45.0), "± IC50 (nM)": (0.7142988397, 2.525556612)}),
    right("a ward with points in thousands beside decimal commas", "Woche;Zugänge;Belegung\n1;1.204;87,5 %\n2;1.198;91,0 %\n",
          {"Woche": (1.0, 2.0), "Zugänge": (1204.0, 1198.0), "Belegung (%)": (87.5, 91.0)}, says="is 1204"),
    right("a weather service with parts of dates", "Jahr;Monat;Tag; TMK;eor\n2024;05;01; 15.3;eor\n2024;05;02; 13.1;eor\n",
          {"TMK": (15.3, 13.1)}, {"date": ("2024-05-01", "2024-05-02"), "eor": ("eor", "eor")}, says="one date together"),
    right("a night of a tide gauge", "t;u\n22:30;1,5\n23:30;2,5\n00:30;3,5\n", {"u": U}, says="past midnight"),
    right("a spectrometer that marks where its data begin",
          "Sample 12\nIntegration Time (usec): 100000\nPixels: 3\n>>>>>Begin Spectral Data<<<<<\n0\t1.5\n1\t2.5\n2\t3.5\n"
          ">>>>>End Spectral Data<<<<<\n", {"column 1": T, "column 2": U}),
    right("a LabVIEW file with two headers",
          "LabVIEW Measurement\t\nSeparator\tTab\n***End_of_Header***\t\n\t\nChannels\t1\t\nX0\t0,0\n***End_of_Header***\t\n"
          "X_Value\tVoltage\tComment\n0,0\t1,5\n1,0\t2,5\n2,0\t3,5\n", {"X_Value": T, "Voltage": U}),
    right("decimal commas in quotes between commas", 'k,A\n"0,0","1,5"\n"1,0","2,5"\n"2,0","3,5"\n', {"k": T, "A": U}),
    right("marks of remarks behind numbers", "t,u\n0,1.5*\n1,2.5\n2,3.5†\n", says="2 numbers have the mark of a remark"),
    right("groups, names and units over three lines, the groups written once",
          "Time,Site A,,Site B,\n,Flow,Temp,Flow,Temp\nh,m3/s,°C,m3/s,°C\n0,1.5,12,2.5,13\n1,1.6,12.1,2.6,13.1\n"
          "2,1.7,12.2,2.7,13.2\n",
          {"Time (h)": T, "Site A Flow (m3/s)": (1.5, 1.6, 1.7), "Site A Temp (°C)": (12.0, 12.1, 12.2),
           "Site B Flow (m3/s)": (2.5, 2.6, 2.7), "Site B Temp (°C)": (13.0, 13.1, 13.2)}),
    right("a unit below a name beside groups of names", "Time,Site A,\nh,Flow,Temp\n0,1.5,12\n1,1.6,12.1\n2,1.7,12.2\n",
          {"Time (h)": T, "Site A Flow": (1.5, 1.6, 1.7), "Site A Temp": (12.0, 12.1, 12.2)}),
    right("letters of footnotes behind numbers", "t,u\n0,1.5\n1,2.5 a)\n2,3.5 (b)\n", PLAIN,
          says="“2.5 a\\)” is read as 2.5, “3.5 \\(b\\)” as 3.5"),
    right("letters of groups behind means", "t,u\n0,1.5a\n1,2.5ab\n2,3.5b\n", PLAIN, says="the marks are dropped"),
    right("labels with a letter, of which several have one number", "t,plot,u\n0,1.1a,1.5\n1,1.1b,2.5\n2,1.2a,3.5\n", PLAIN,
          {"plot": ("1.1a", "1.1b", "1.2a")}),
    right("ranges among numbers", "t,u,v\n0,5-7,1.5\n1,7.1,2.5\n2,6 - 8,3.5\n3,7.5,4.5\n",
          {"t": (0.0, 1.0, 2.0, 3.0), "v": (1.5, 2.5, 3.5, 4.5)}, {"u": ("5-7", "7.1", "6 - 8", "7.5")},
          says="“u” is taken for text: line 2, “5-7” is"),
)
