"""Tables as further programs print them, with headings known by places, legends or groups; cases as in awkward_texts."""

from __future__ import annotations

from awkward_texts import Case

RULE = "-" * 80
#: ngspice: headings set with blanks above rows set with tabs, between rules; complex values have one heading for two columns
TRANSIENT = f"""\
                                 rc lowpass
{RULE}
Index   time            v(out)          v(in)
{RULE}
0\t0.000000e+00\t0.000000e+00\t1.000000e+00\t
1\t1.584893e+03\t9.999008e-01\t1.000000e+00\t
2\t2.511886e+03\t9.997509e-01\t1.000000e+00\t
"""
COMPLEX = f"""\
{RULE}
Index   frequency       v(out)
{RULE}
0\t1.000000e+03\t9.999605e-01,\t-6.28294e-03\t
1\t1.584893e+03\t9.999008e-01,\t-9.95720e-03\t
2\t2.511886e+03\t9.997509e-01,\t-1.57789e-02\t
"""
#: GROMACS: names of the columns in the settings of a plot
XVG = """\
# gmx energy is part of GROMACS
@    title "GROMACS Energies"
@    xaxis  label "Time (ps)"
@    yaxis  label "(kJ/mol), (K)"
@TYPE xy
@ view 0.15, 0.15, 0.75, 0.85
@ legend length 2
@ s0 legend "Potential"
@ s1 legend "Temperature"
    0.000000  -48345.5  298.15
    2.000000  -48412.1  299.02
    4.000000  -48390.7  300.41
"""
RMSD = """\
@    title "RMSD"
@    xaxis  label "Time (ns)"
@    yaxis  label "RMSD (nm)"
@TYPE xy
   0.0000    0.0000005
   0.0100    0.0912345
"""
#: COMSOL: settings in comments, of which one stands over a column, and a heading with a colon
COMSOL = """\
% Model:                beam.mph
% Description:          Temperature, Heat flux
% Length unit:          m
% Time (s)              Temperature (K), Point: 3
0                       293.15
10                      300.25
20                      305.75
"""
#: Gaussian: dashes between the labels of rows and their numbers
GAUSSIAN = """\
                      1                      2                      3
                     A1                     A1                     B2
 Frequencies --   1713.1234              3727.4567              3849.7890
 Red. masses --      1.0825                 1.0453                 1.0812
 IR Inten    --     75.7890                 1.6543                19.1234
  Atom  AN      X      Y      Z        X      Y      Z        X      Y      Z
     1   8     0.00   0.00   0.07     0.00   0.00   0.05     0.00   0.07   0.00
"""
#: HYDRUS: the same headings for each of several nodes
HYDRUS = """\
 Units: L = cm   , T = days , M = mmol

                              Node(  11)                   Node(  31)

       time             h        theta    Temp            h        theta    Temp
       0.0000  -0.10000E+03  0.3240   20.000  -0.10000E+03  0.3240   20.000
       0.5000  -0.92311E+02  0.3302   20.000  -0.99981E+02  0.3241   20.000
       1.0000  -0.85210E+02  0.3357   20.000  -0.99812E+02  0.3243   20.000
end
"""
#: NONMEM: indices in names
NONMEM = """\
 ITERATION    THETA1       SIGMA(1,1)   OMEGA(1,1)   OBJ
            0  1.70000E+00  1.00000E+00  1.00000E-01   587.276258749
           10  1.81000E+00  1.10000E+00  1.20000E-01   570.276258749
"""
#: LAMMPS: counts before each of several tables
CHUNKS = """\
# Chunk-averaged data for fix 2 and group all
# Timestep Number-of-chunks Total-count
# Chunk Coord1 Ncount density/number temp
1000 3 800
  1 0.5 266.1 0.79 1.43
  2 1.5 267.2 0.80 1.44
  3 2.5 266.7 0.81 1.45
2000 3 800
  1 0.5 265.1 0.78 1.41
  2 1.5 268.2 0.81 1.42
  3 2.5 266.7 0.82 1.40
"""
#: PHREEQC: right-aligned headings between tabs, and a column of words
PHREEQC = """\
        sim\t       state\t        time\t          pH\t          Ca\t
          1\t      i_soln\t         -99\t           7\t  1.0000e-03\t
          1\t       react\t           0\t     8.23456\t  1.2345e-03\t
          1\t       react\t         100\t     8.33456\t  1.3345e-03\t
"""

CASES_9 = (
    Case("a heading set with blanks above rows set with tabs", TRANSIENT, "v(in)",
         "all 3 rows of column 4 (“v(in)”)", ((1.0, 1.0, 1.0),),
         TRANSIENT.replace("1.584893e+03", "1.6e+03"), ((1.0, 1.0, 1.0),)),
    Case("the first of such headings", TRANSIENT, "Index", "column 1 (“Index”)", ((0.0, 1.0, 2.0),)),
    Case("a drag over such headings", TRANSIENT, ("time", "v(in)"), "all 3 rows of columns 2–4",
         ((0.0, 1584.893, 2511.886), (0.0, 0.9999008, 0.9997509), (1.0, 1.0, 1.0)), scope="column"),
    Case("the heading of complex values is that of their real parts", COMPLEX, "v(out)", "column 3 (“v(out)”)",
         ((0.9999605, 0.9999008, 0.9997509),)),
    Case("a column called by the legend of a plot", XVG, "299.02", "column 3 (“Temperature”)", ((298.15, 299.02, 300.41),),
         XVG.replace("299.02", "301.5"), ((298.15, 301.5, 300.41),), scope="column"),
    Case("the abscissae of a plot", XVG, "2.000000", "column 1 (“Time (ps)”)", ((0.0, 2.0, 4.0),), scope="column"),
    Case("one curve of a plot is called by its axis", RMSD, "0.0912345", "column 2 (“RMSD (nm)”)", ((5e-7, 0.0912345),),
         scope="column"),
    Case("a heading with a colon where its column begins", COMSOL, "Temperature (K)",
         "column 2 (“Temperature (K), Point: 3”)", ((293.15, 300.25, 305.75),)),
    Case("dashes between a label and its numbers are none of them", GAUSSIAN, "Frequencies",
         "the row “Frequencies” of numbers 2–4", ((1713.1234, 3727.4567, 3849.789),),
         GAUSSIAN.replace("3727.4567", "3700.1"), ((1713.1234, 3700.1, 3849.789),)),
    Case("headings that come again are told apart by their groups", HYDRUS, "theta#2", "column 6 (“theta Node(31)”)",
         ((0.324, 0.3241, 0.3243),), HYDRUS.replace("0.3241", "0.3251"), ((0.324, 0.3251, 0.3243),)),
    Case("an index in a name is no list", NONMEM, "SIGMA(1,1)", "the whole column “SIGMA(1,1)”", ((1.0, 1.1),)),
    Case("counts above a table that end and begin elsewhere than its columns", CHUNKS, "1.44", "row 2 of column 5", ((1.44,),)),
    Case("rows of the second of such tables", CHUNKS, ("1.41", "1.40"), "of column 5", ((1.41, 1.42, 1.4),)),
    Case("headings between tabs, right-aligned", PHREEQC, "pH", "column 4 (“pH”)", ((7.0, 8.23456, 8.33456),),
         PHREEQC.replace("8.33456", "8.4"), ((7.0, 8.23456, 8.4),)),
)  # fmt: skip
