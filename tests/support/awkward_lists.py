"""Lists of numbers behind a name, as programs print them over several lines; see test_awkward_outputs."""

from __future__ import annotations

from awkward_texts import Case

NCDUMP = """\
netcdf out {
dimensions:
\ttime = 12 ;
variables:
\tdouble time(time) ;
\t\ttime:units = "days since 2000-01-01" ;
\tdouble flux_r(time) ;
\t\tflux_r:_FillValue = -999. ;
data:

 time = 0, 1, 2, 3, 4, 5,
    6, 7, 8, 9, 10, 11 ;

 flux_r = 1, 1, 0.9998, 0.9991,
    0.998, 0.9965, _, 0.9922, 0.9894, 0.9861,
    0.9824, 0.9782 ;
}
"""
SOIL_HEAD = """\
netcdf soil {
dimensions:
\ttime = UNLIMITED ; // (4 currently)
\tdepth = 3 ;
variables:
\tdouble time(time) ;
\t\ttime:units = "hours since 2026-06-01 00:00:00" ;
\tfloat depth(depth) ;
\tfloat tsoil(time, depth) ;
\t\ttsoil:units = "degC" ;
data:

 time = 0, 6, 12, 18 ;

 depth = 0.05, 0.1, 0.2 ;

 tsoil =
"""
SOIL_ROWS = ("  10.5, 13.75, 16.25,", "  9.5, 12.5, 15.5,", "  8.75, 11.5, 14.75,", "  8.25, 11.25, 14.5 ;")
SOIL = SOIL_HEAD + "\n".join(SOIL_ROWS) + "\n}\n"
NAN = float("nan")
FLUX = (1.0, 1.0, 0.9998, 0.9991, 0.998, 0.9965, NAN, 0.9922, 0.9894, 0.9861, 0.9824, 0.9782)
TIMES = tuple(float(k) for k in range(12))
SHORTER = NCDUMP.replace("time = 12", "time = 5").replace(
    " 4, 5,\n    6, 7, 8, 9, 10, 11 ;", " 4 ;").replace(
    ",\n    0.998, 0.9965, _, 0.9922, 0.9894, 0.9861,\n    0.9824, 0.9782 ;", ", 0.5 ;")

JSON = '{"run": {"time": [0, 1,\n   2, 3],\n  "flux": [1.5, 2.5,\n   3.5, 4.5]}}\n'
LOG_WITH_JSON = (
    'solver 2.1 begins\n{"time": [0, 1,\n   2, 3],\n'
    ' "flux": [1.5, 2.5,\n   3.5, null], "n": 4}\nfinished in 3 steps\n'
)
NUMPY = "step 3 done\nflux [1.    2.5   3.25\n 4.5   5.75  6.  ]\nlast 6.0\n"
ARRAY = "flux = array([1.  , 2.5 , 3.25,\n       4.5 , 5.75, 6.  ])\n"
MASKED = "data: [1.5 -- 2.5\n 3.5 nan 4.5]\n"
ELIDED = "flux [1. 2. 3. ... 7. 8.\n 9.]\n"
NAMELIST = "&OUT\n X=  1.0000000000000000     ,  2*3.5000000000000000     ,\n  4.5D+00, 5.25    ,\n Y=  2.5, 3.5,\n /\n"
OCTAVE = "x =\n\n   1.5000   2.5000   3.5000\n\ny =\n\n   4.5000\n   5.5000\n   6.5000\n\n"
MATLAB = (
    "x =\n\n   1.0e+03 *\n\n  Columns 1 through 4\n\n    0.0010    0.0020    0.5030    1.0040\n\n  Columns 5 through 6\n\n"
    "    0.0050    0.0060\n\ny =\n\n     7     8\n\n"
)
BLOCKS = "K =\n\n Columns 1 through 2:\n\n   1   2\n   4   5\n\n Column 3:\n\n   3\n   6\n\ndone\n"
R_PRINT = "> x\n [1] 1.5 2.5 3.5 4.5\n [5] 5.5 6.5 7.5\n> y\n[1] NA 2\n"
R_TWICE = "[1] 1.5 2.5 3.5\n[4] 4.5 5.5\n[1] 6.5 7.5\n"
VTK = (
    '<PointData>\n<DataArray type="Float32" Name="T" format="ascii" RangeMin="1.5" RangeMax="5.5">\n 1.5 2.5 3.5\n 4.5 5.5\n'
    '</DataArray>\n<DataArray type="Float32" Name="p" format="ascii">\n 1.25 2.25 3.25\n 4.25 5.25\n</DataArray>\n</PointData>\n'
)
FCHK = (
    "Total Energy                               R     -7.601234567890E+01\n"
    "Alpha Orbital Energies                     R   N=           7\n"
    " -2.05500000E+01 -1.33600000E+00 -7.14000000E-01 -5.68000000E-01 -4.97000000E-01\n  2.11000000E-01  3.06000000E-01\n"
    "Mulliken Charges                           R   N=           3\n -3.30000000E-01  1.65000000E-01  1.65000000E-01\n"
)
FOAM = (
    "internalField   nonuniform List<scalar>\n4\n(\n300.5\n301.25\n302.125\n303\n)\n;\n\nboundaryField\n{\n"
    "    wall\n    {\n        value           nonuniform List<scalar> 3(300 301 302);\n    }\n}\n"
)
PRINTED = " flux   1.0000000   2.5000000   3.2500000\n   4.5000000   5.7500000\n done\n"
C_ARRAY = "double k[] = {1.5, 2.5,\n  3.5};\nint n = 3;\n"
LUA = "cells = {\n  1.5,\n  2.5,\n  3.5,\n}\n"
YAML = "flux:\n  [1.5, 2.5,\n   3.5, 4.5]\nother: [1, 2]\n"
DECIMAL_COMMA = "druck = [1,5; 2,5;\n 3,5; 4,5]\n"
PPRINT = "{'flux': [0.417,\n          0.7203,\n          0.0001],\n 'time': [0.0,\n          0.5,\n          1.0]}\n"
H5DUMP = (
    'HDF5 "a.h5" {\nGROUP "/" {\n   DATASET "flux" {\n      DATATYPE  H5T_IEEE_F64LE\n'
    "      DATASPACE  SIMPLE { ( 8 ) / ( 8 ) }\n      DATA {\n      (0): 0.546518, 0.067905, 0.963087, 0.491264, 0.078077,\n"
    "      (5): 0.136627, 0.402037, 0.549672\n      }\n   }\n}\n}\n"
)
STORED = """\
HDF5 "out.h5" {
GROUP "/" {
   ATTRIBUTE "version" {
      DATATYPE  H5T_IEEE_F64LE
      DATASPACE  SCALAR
      DATA {
      (0): 2.5
      }
   }
   DATASET "chi2" {
      DATATYPE  H5T_IEEE_F64LE
      DATASPACE  SCALAR
      DATA {
      (0): 17.25
      }
   }
   GROUP "run" {
      DATASET "flux" {
         DATATYPE  H5T_IEEE_F64LE
         DATASPACE  SIMPLE { ( 8 ) / ( 8 ) }
         DATA {
         (0): 0.546518, 0.067905, 0.963087, 0.491264, 0.078077,
         (5): 0.136627, 0.402037, 0.549672
         }
         ATTRIBUTE "units" {
            DATATYPE  H5T_STRING {
               STRSIZE 2;
               STRPAD H5T_STR_NULLTERM;
               CSET H5T_CSET_ASCII;
               CTYPE H5T_C_S1;
            }
            DATASPACE  SCALAR
            DATA {
            (0): "Jy"
            }
         }
      }
      DATASET "grid" {
         DATATYPE  H5T_IEEE_F64LE
         DATASPACE  SIMPLE { ( 2, 3 ) / ( 2, 3 ) }
         DATA {
         (0,0): 1.5, 2.5, 3.5,
         (1,0): 4.5, 5.5, 6.5
         }
      }
      DATASET "table" {
         DATATYPE  H5T_COMPOUND {
            H5T_STD_I32LE "id";
            H5T_IEEE_F64LE "temp";
         }
         DATASPACE  SIMPLE { ( 3 ) / ( H5S_UNLIMITED ) }
         DATA {
         (0): {
               7,
               300.25
            },
         (1): {
               8,
               301.25
            },
         (2): {
               9,
               302.25
            }
         }
      }
   }
   GROUP "second" {
      DATASET "flux" {
         DATATYPE  H5T_IEEE_F64LE
         DATASPACE  SIMPLE { ( 2 ) / ( 2 ) }
         DATA {
         (0): 10.5, 11.5
         }
      }
   }
}
}
"""
STORED_FLUX = (0.546518, 0.067905, 0.963087, 0.491264, 0.078077, 0.136627, 0.402037, 0.549672)
ALONE = (
    'HDF5 "a.h5" {\nDATASET "/run/flux" {\n   DATATYPE  H5T_IEEE_F64LE\n   DATASPACE  SIMPLE { ( 3 ) / ( H5S_UNLIMITED ) }\n'
    "   DATA {\n   (0): 1.5, 2.5, 3.5\n   }\n}\n}\n"
)
DUMPER = "$VAR1 = {\n    'flux' => [\n        '1.5',\n        '2.5',\n        '3.5'\n          ],\n    'n' => 3\n  };\n"
MATRIX = "run 7 is done\n\nz =\n\n   1.5000   2.5000\n   3.5000   4.5000\n\n"
EVERY_STEP = "step 1\n res = 1.5, 0.5,\n  0.25\nstep 2\n res = 1.25, 0.4,\n  0.2\n"
CUT = NCDUMP[: NCDUMP.index(", 0.9824")] if ", 0.9824" in NCDUMP else NCDUMP[: NCDUMP.index("0.9824")]


def whole(name: str, text: str, mark: str | tuple[str, str], words: str, values: tuple[float, ...], then: str = "",
          then_values: tuple[tuple[float, ...], ...] | str = (), scope: str = "list", repeat: str = "",
          source: str = "stdout") -> Case:  # fmt: skip
    """A list that is read to its end."""
    return Case(name, text, mark, words, (values,), then, then_values, source, scope, repeat)


ENERGIES = (-20.55, -1.336, -0.714, -0.568, -0.497, 0.211, 0.306)

CASES_7: tuple[Case, ...] = (
    Case("a number of a list over lines", NCDUMP, "0.9894", "number 9 of the list behind “flux_r =”", ((0.9894,),)),
    whole("an ncdump list by a number", NCDUMP, "0.9894", "“flux_r”: 12 numbers, lines 14–16", FLUX,
          SHORTER, ((1.0, 1.0, 0.9998, 0.9991, 0.5),)),
    whole("an ncdump list by its name", NCDUMP, "flux_r#3", "“flux_r”: 12", FLUX,
          scope=""),
    whole("an ncdump axis that has the name of its dimension", NCDUMP, "11 ", "“time”, the last time: 12 numbers", TIMES,
          SHORTER, ((0.0, 1.0, 2.0, 3.0, 4.0),), repeat="last"),
    whole("an ncdump list that is cut off", NCDUMP, "0.9894", "flux_r", FLUX, CUT, "the text ends in the middle of the list"),
    Case("some of an ncdump list", NCDUMP, ("0.9991", "0.9965"), "numbers 4–6 of the list behind “flux_r =”",
         ((0.9991, 0.998, 0.9965),)),
    whole("a JSON list by a number", JSON, "2.5", "the whole list at “run.flux”", (1.5, 2.5, 3.5, 4.5)),
    whole("a JSON list by its key", JSON, "flux", "the whole list at “run.flux”", (1.5, 2.5, 3.5, 4.5), scope=""),
    whole("a JSON list in a log", LOG_WITH_JSON, "3.5", "“\"flux\"”: 4 numbers, lines 4–5", (1.5, 2.5, 3.5, NAN)),
    whole("another JSON list in a log", LOG_WITH_JSON, "time", "“\"time\"”: 4 numbers", (0.0, 1.0, 2.0, 3.0), scope=""),
    whole("a NumPy array", NUMPY, "5.75", "“flux”: 6 numbers, lines 2–3", (1.0, 2.5, 3.25, 4.5, 5.75, 6.0),
          NUMPY.replace(" 5.75  6.  ]", "]"), ((1.0, 2.5, 3.25, 4.5),)),
    whole("a Python array", ARRAY, "5.75", "“flux = array”: 6 numbers, lines 1–2", (1.0, 2.5, 3.25, 4.5, 5.75, 6.0)),
    whole("a masked array", MASKED, "data", "“data”: 6 numbers, lines 1–2", (1.5, NAN, 2.5, 3.5, NAN, 4.5), scope=""),
    whole("a namelist array with repeats", NAMELIST, "X", "“X”: 5 numbers, lines 2–3", (1.0, 3.5, 3.5, 4.5, 5.25),
          NAMELIST.replace("5.25    ,", "3*5.25"), ((1.0, 3.5, 3.5, 4.5, 5.25, 5.25, 5.25),), scope=""),
    whole("a namelist array by a number with a D", NAMELIST, "4.5D+00", "“X”: 5 numbers", (1.0, 3.5, 3.5, 4.5, 5.25)),
    whole("the last namelist array", NAMELIST, "2.5", "“Y”: 2 numbers, line 4", (2.5, 3.5)),
    whole("a row vector of Octave", OCTAVE, "2.5000", "“x”: 3 numbers, line 3", (1.5, 2.5, 3.5)),
    whole("a column vector of Octave", OCTAVE, "y =", "“y”: 3 numbers, lines 7–9", (4.5, 5.5, 6.5), scope=""),
    whole("columns in blocks with a factor", MATLAB, "0.5030", "“x”: 6 numbers, lines 7–11",
          (1.0, 2.0, 503.0, 1004.0, 5.0, 6.0), MATLAB.replace("1.0e+03", "1.0e+02"), ((0.1, 0.2, 50.3, 100.4, 0.5, 0.6),)),
    whole("a matrix in blocks of columns", BLOCKS, "K =", "“K”: 6 numbers, lines 5–11", (1.0, 2.0, 3.0, 4.0, 5.0,
          6.0), scope=""),
    whole("a vector of R", R_PRINT, "6.5", "“> x”: 7 numbers, lines 2–3", (1.5, 2.5, 3.5, 4.5, 5.5, 6.5, 7.5),
          R_PRINT.replace("[5]", "[6]"), "stands before number 5 of the list"),
    whole("a vector of R with a missing value", R_PRINT, "> y", "“> y”: 2 numbers", (NAN, 2.0), scope=""),
    whole("a vector of R without a name", R_TWICE, "7.5", "“[1]”, the last time: 2 numbers, line 3", (6.5, 7.5)),
    whole("an array of XML", VTK, "2.25", "“Name=\"p\"”: 5 numbers, lines 7–8", (1.25, 2.25, 3.25, 4.25, 5.25)),
    whole("an array of XML by its tag", VTK, "type", "“Name=\"T\"”: 5 numbers, lines 3–4", (1.5, 2.5, 3.5, 4.5, 5.5),
          VTK.replace('RangeMax="5.5"', 'RangeMax="6.5"').replace("4.5 5.5", "4.5 5.5 6.5"),
          ((1.5, 2.5, 3.5, 4.5, 5.5, 6.5),), scope=""),
    whole("a list of a checkpoint file, which says how many", FCHK, "-4.97",
          "“Alpha Orbital Energies R N”: 7 numbers, lines 3–4",
          ENERGIES, FCHK.replace("N=           7", "N=           8"), "8 numbers are announced"),
    whole("the next list of a checkpoint file", FCHK, "Mulliken", "“Mulliken Charges R N”: 3 numbers", (-0.33, 0.165,
          0.165), scope=""),
    whole("a field of OpenFOAM", FOAM, "302.125", "“internalField nonuniform List<scalar>”: 4 numbers, lines 4–7",
          (300.5, 301.25, 302.125, 303.0)),
    whole("a field of OpenFOAM on one line", FOAM, "301 ", "“value nonuniform List<scalar>”: 3 numbers, line 15",
          (300.0, 301.0, 302.0)),
    whole("an array printed by Fortran", PRINTED, "4.5000000", "“flux”: 5 numbers, lines 1–2", (1.0, 2.5, 3.25, 4.5, 5.75),
          PRINTED.replace("5.7500000", "5.7500000   6.5"), ((1.0, 2.5, 3.25, 4.5, 5.75, 6.5),)),
    whole("an array of C", C_ARRAY, "2.5", "3 numbers, lines 1–2", (1.5, 2.5, 3.5)),
    whole("a number on each line, with commas", LUA, "2.5", "“cells”: 3 numbers, lines 2–4", (1.5, 2.5, 3.5)),
    whole("a list of YAML", YAML, "3.5", "“flux”: 4 numbers, lines 2–3", (1.5, 2.5, 3.5, 4.5)),
    whole("a pretty-printed dictionary, a number on each line", PPRINT, "0.7203", "“'flux'”: 3 numbers, lines 1–3",
          (0.417, 0.7203, 0.0001)),
    whole("a list of an HDF5 dump, with the place of each line", H5DUMP, "0.402037", "“/flux”: 8 numbers, lines 7–8",
          (0.546518, 0.067905, 0.963087, 0.491264, 0.078077, 0.136627, 0.402037, 0.549672),
          H5DUMP.replace("(5)", "(6)"), r"“\(6\):” stands before number 6 of the list"),
    Case("a number of an HDF5 dump", STORED, "0.402037", "number 7 of the list at “/run/flux”", ((0.402037,),),
         STORED.replace("0.402037", "0.5"), ((0.5,),), scope="number"),
    whole("the place before the numbers of a line of an HDF5 dump", STORED, "(5)", "“/run/flux”: 8 numbers, lines 22–23",
          STORED_FLUX),
    whole("the heading of an HDF5 dataset", STORED, "\"flux\"", "“/run/flux”: 8 numbers", STORED_FLUX),
    whole("how long an HDF5 dataset is", STORED, "( 8 )", "“/run/flux”: 8 numbers", STORED_FLUX),
    whole("a drag from the heading to the last number of an HDF5 dataset", STORED, ("DATASET \"flux", "0.549672"),
          "“/run/flux”: 8 numbers", STORED_FLUX),
    Case("some numbers of an HDF5 dataset", STORED, ("0.963087", "0.136627"), "numbers 3–6 of the list at “/run/flux”",
         ((0.963087, 0.491264, 0.078077, 0.136627),), scope="part"),
    whole("an HDF5 dataset of the same name in another group", STORED, "11.5", "“/second/flux”: 2 numbers, line 73", (10.5, 11.5),
          STORED.replace("10.5, 11.5", "1.5"), ((1.5,),)),
    Case("a single number of an HDF5 file", STORED, "17.25", "the number at “/chi2”", ((17.25,),),
         STORED.replace('DATASET "chi2"', 'DATASET "chi3"'), "“/chi2” does not occur", scope="number"),
    Case("a single number of an HDF5 file by its heading", STORED, "chi2", "the number at “/chi2”", ((17.25,),)),
    Case("an attribute of an HDF5 file", STORED, "2.5", "the number at “/@version”", ((2.5,),), scope="number"),
    whole("a matrix of an HDF5 file, whose places are pairs", STORED, "5.5", "“/run/grid”: 6 numbers, lines 42–43",
          (1.5, 2.5, 3.5, 4.5, 5.5, 6.5)),
    Case("a number in a record of an HDF5 file", STORED, "301.25", "number 2 of the list at “/run/table.temp”", ((301.25,),),
         scope="number"),
    whole("a field of the records of an HDF5 file", STORED, "301.25", "“/run/table.temp”: 3 numbers, lines 55–63",
          (300.25, 301.25, 302.25), STORED.replace("302.25\n", "302.25, 1.5\n"), "its 7 numbers are no whole records of 2"),
    whole("a field of the records of an HDF5 file by its name", STORED, "\"temp\"", "“/run/table.temp”: 3 numbers",
          (300.25, 301.25, 302.25)),
    Case("records of an HDF5 file by their heading", STORED, "table", "“/run/table”: 2 fields of 3 records",
         ((7.0, 8.0, 9.0), (300.25, 301.25, 302.25))),
    Case("a text that an HDF5 file holds", STORED, "Jy", "what is stored there is no list of numbers", ()),
    whole("an HDF5 dataset that was dumped alone, behind other text", "step 3 of 9\n" + ALONE, "2.5", "“/run/flux”: 3 numbers",
          (1.5, 2.5, 3.5)),
    whole("a list of quoted numbers", DUMPER, "flux", "“'flux'”: 3 numbers, lines 3–5", (1.5, 2.5, 3.5), scope=""),
    Case("a matrix of Octave by its name is a table", MATRIX, "z =", "all 2 rows of columns 1–2, below “z”",
         ((1.5, 3.5), (2.5, 4.5))),
    whole("a list that comes again", EVERY_STEP, "0.25", "the lists behind “res”, every time (2 here)",
          (1.5, 0.5, 0.25, 1.25, 0.4, 0.2), repeat="all"),
    Case("the same number of a list that comes again", EVERY_STEP, "0.5#1",
         "number 2 of the list behind “res =”, every time (2 here)",
         ((0.5, 0.4),), scope="number", repeat="all"),
)  # fmt: skip
