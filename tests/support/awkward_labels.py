"""Labels of one letter that stand in running text and below several headings, rows with texts of varying number; cases as in
awkward_texts. In the manner of a quantum chemistry program."""

from __future__ import annotations

from awkward_texts import Case

MOLECULE = """\
 ** A CARTESIAN SYSTEM WAS BUILT FROM BOND LENGTHS, ANGLES AND DIHEDRALS **
 ** STANDARD DEVIATIONS ARE NOT CALCULATED IN A SINGLE POINT CALCULATION **
 CHARGE = 0   ORBITALS = 12

          GRADIENT NORM =  41.13513

          ROTATIONAL CONSTANTS IN CM(-1)

          A =    9.99920323   B =    0.88490926   C =    0.85411815

           PRINCIPAL MOMENTS OF INERTIA IN UNITS OF 10**(-40)*GRAM-CM**2

          A =        2.7995   B =       31.6335   C =       32.7739

          CARTESIAN COORDINATES

     1          O      -0.7250   -0.0163   -0.0257
     2          O       0.7250   -0.0163   -0.0257
     3          H      -0.8934    0.9389   -0.0257
     4          H       0.8934   -0.4201    0.8401

          CARTESIAN COORDINATES

     1          O      -0.7350   -0.0263   -0.0357
     2          O       0.7350   -0.0263   -0.0357
     3          H      -0.8834    0.9489   -0.0357
     4          H       0.8834   -0.4301    0.8501

          DESCRIPTION OF VIBRATIONS

 VIBRATION          1    1A          ATOM PAIR     ENERGY CONTRIBUTION    RADIAL
 FREQUENCY           989.33         O 1 -- O 2         +65.7% ( 99.9%)     99.9%
 TRANSITION DIPOLE   0.0202         O 2 -- H 4         +17.1% ( 51.1%)      4.8%
 TRAVEL (Ang.)       0.0932         O 1 -- H 3         +17.1% ( 51.1%)      4.8%

 VIBRATION          2    2A          ATOM PAIR     ENERGY CONTRIBUTION    RADIAL
 FREQUENCY          2936.25         O 1 -- H 3         +49.8% ( 70.4%)    100.0%
 TRANSITION DIPOLE   0.4694         O 2 -- H 4         +49.8% ( 70.4%)    100.0%
 TRAVEL (Ang.)       0.2201         O 1 -- O 2          +0.4% (  6.3%)      0.8%
"""
#: at other values: a warning more, other digits, and brackets without the space that makes two words of them
MOLECULE_2 = (
    MOLECULE.replace("  41.13513", "1770.50268\n\n ** A GRADIENT AS LARGE AS THIS MAKES A THERMO CALCULATION INACCURATE **")
    .replace("9.99920323", "22.6104938").replace("0.88490926", "0.85152548")
    .replace("2936.25         O 1 -- H 3         +49.8% ( 70.4%)", "-880.64         H 3 -- H 4         +50.2% (-99.9%)")
)  # fmt: skip

CASES_4 = (
    Case("a letter as a label below a heading", MOLECULE, "9.99920323",
         "the number after “A =” below “ROTATIONAL CONSTANTS IN CM”", ((9.99920323,),), MOLECULE_2, ((22.6104938,),)),
    Case("a letter amid the line below a heading", MOLECULE, "0.88490926",
         "the number after “B =” below “ROTATIONAL CONSTANTS IN CM”", ((0.88490926,),), MOLECULE_2, ((0.85152548,),)),
    Case("the same letter below the next heading", MOLECULE, "32.7739",
         "the number after “C =” below “PRINCIPAL MOMENTS OF INERTIA IN UNITS OF”", ((32.7739,),), MOLECULE_2, ((32.7739,),)),
    Case("a coordinate behind a letter that stands in many places", MOLECULE, "-0.8934",
         "row 3 of column 3, below “CARTESIAN COORDINATES”", ((-0.8934,),), MOLECULE_2, ((-0.8934,),)),
    Case("a row behind whose number texts vary", MOLECULE, "2936.25", "the row “FREQUENCY” of number 1, below “VIBRATION”",
         ((2936.25,),), MOLECULE_2, ((-880.64,),)),
)  # fmt: skip
