"""Labelled lines that come again between others, as real programs print them; cases as in awkward_texts."""

from __future__ import annotations

from awkward_texts import Case

#: MPB 1.11: a line of fields for each k point between lines of progress, whose number varies
MPB = """\
epsilon: 1-9, mean 2.3446, harm. mean 1.2256, 23.5352% > 1, 16.8075% "fill"
solve_kpoint (0.25,0,0):
tmfreqs:, k index, k1, k2, k3, kmag/2pi, tm band 1, tm band 2, tm band 3, tm band 4
Solving for bands 1 to 4...
    linmin: converged after 7 iterations.
    linmin: converged after 7 iterations.
Finished solving for bands 1 to 4 after 11 iterations.
tmfreqs:, 1, 0.25, 0, 0, 0.25, 0.158857, 0.471504, 0.545829, 0.690924
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0,0):
Solving for bands 1 to 4...
    linmin: converged after 6 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 15 iterations.
tmfreqs:, 2, 0.5, 0, 0, 0.5, 0.261304, 0.392159, 0.549979, 0.753678
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0.25,0):
Solving for bands 1 to 4...
    linmin: converged after 4 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 77 iterations.
tmfreqs:, 3, 0.5, 0.25, 0, 0.559017, 0.284889, 0.42691, 0.511044, 0.699059
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0.5,0):
Solving for bands 1 to 4...
    linmin: converged after 5 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 6 iterations.
tmfreqs:, 4, 0.5, 0.5, 0, 0.707107, 0.31447, 0.470938, 0.470938, 0.650298
elapsed time for k point: 0 seconds.
solve_kpoint (0.25,0.25,0):
Solving for bands 1 to 4...
    linmin: converged after 6 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 8 iterations.
tmfreqs:, 5, 0.25, 0.25, 0, 0.353553, 0.217464, 0.47556, 0.504594, 0.705756
elapsed time for k point: 0 seconds.
Band 1 range: 0.1588565291637589 at #(0.25 0.0 0.0) to 0.3144697306622988 at #(0.5 0.5 0.0)
Band 2 range: 0.3921590848525559 at #(0.5 0.0 0.0) to 0.47555996046603005 at #(0.25 0.25 0.0)
total elapsed time for run: 0 seconds.
done.
"""
MPB_2 = """\
epsilon: 1-8.2, mean 2.22371, harm. mean 1.22199, 23.5352% > 1, 16.996% "fill"
solve_kpoint (0.25,0,0):
tmfreqs:, k index, k1, k2, k3, kmag/2pi, tm band 1, tm band 2, tm band 3, tm band 4
Solving for bands 1 to 4...
    linmin: converged after 10 iterations.
    linmin: converged after 5 iterations.
    linmin: converged after 5 iterations.
Finished solving for bands 1 to 4 after 11 iterations.
tmfreqs:, 1, 0.25, 0, 0, 0.25, 0.163425, 0.486069, 0.567868, 0.70274
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0,0):
Solving for bands 1 to 4...
    linmin: converged after 5 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 17 iterations.
tmfreqs:, 2, 0.5, 0, 0, 0.5, 0.270358, 0.401432, 0.572431, 0.774641
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0.25,0):
Solving for bands 1 to 4...
    linmin: converged after 4 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 69 iterations.
tmfreqs:, 3, 0.5, 0.25, 0, 0.559017, 0.294977, 0.438303, 0.529774, 0.713777
elapsed time for k point: 0 seconds.
solve_kpoint (0.5,0.5,0):
Solving for bands 1 to 4...
    linmin: converged after 5 iterations.
    linmin: converged after 4 iterations.
Finished solving for bands 1 to 4 after 5 iterations.
tmfreqs:, 4, 0.5, 0.5, 0, 0.707107, 0.326072, 0.486644, 0.486645, 0.658959
elapsed time for k point: 0 seconds.
solve_kpoint (0.25,0.25,0):
Solving for bands 1 to 4...
    linmin: converged after 6 iterations.
    linmin: converged after 5 iterations.
Finished solving for bands 1 to 4 after 8 iterations.
tmfreqs:, 5, 0.25, 0.25, 0, 0.353553, 0.224152, 0.49019, 0.522772, 0.720483
elapsed time for k point: 0 seconds.
Band 1 range: 0.16342521776343047 at #(0.25 0.0 0.0) to 0.32607171992308337 at #(0.5 0.5 0.0)
Band 2 range: 0.40143233511418547 at #(0.5 0.0 0.0) to 0.49018998896637683 at #(0.25 0.25 0.0)
total elapsed time for run: 0 seconds.
done.
"""

BAND_1 = (0.158857, 0.261304, 0.284889, 0.31447, 0.217464)
BAND_1_2 = (0.163425, 0.270358, 0.294977, 0.326072, 0.224152)
BAND_2 = (0.471504, 0.392159, 0.42691, 0.470938, 0.47556)
BAND_2_2 = (0.486069, 0.401432, 0.438303, 0.486644, 0.49019)

CASES_5 = (
    Case("a field of every line, not of their heading", MPB, "0.158857",
         "column 6 (“tm band 1”), in every line with “tmfreqs:,” (5 here)", (BAND_1,), MPB_2, (BAND_1_2,),
         scope="number", repeat="all"),
    Case("a field of one of these lines", MPB, "0.261304", "column 6 (“tm band 1”), behind “tmfreqs:,”, the 2nd time",
         ((0.261304,),), MPB_2, ((0.270358,),)),
    Case("a field of this line and all below", MPB, "0.261304",
         "column 6 (“tm band 1”), in every line with “tmfreqs:,” from this one on (4 here)", (BAND_1[1:],), MPB_2,
         (BAND_1_2[1:],),
         scope="number", repeat="on"),
    Case("a heading whose rows stand between lines of progress", MPB, "tm band 1",
         "column 6 (“tm band 1”), in every line with “tmfreqs:,” (5 here)", (BAND_1,), MPB_2, (BAND_1_2,), scope="column"),
    Case("two fields of every line as two columns", MPB, ("0.158857", "0.471504"), "columns 6–7, in every line with “tmfreqs:,”",
         (BAND_1, BAND_2), MPB_2, (BAND_1_2, BAND_2_2), scope="column"),
    Case("a drag over rows between lines of progress", MPB, ("0.158857", "0.392159"),
         "columns 6–7, in every line with “tmfreqs:,”", (BAND_1, BAND_2), MPB_2, (BAND_1_2, BAND_2_2)),
    Case("a drag over some names of their heading", MPB, ("tm band 1", "tm band 2"),
         "columns 6–7, in every line with “tmfreqs:,”", (BAND_1, BAND_2), MPB_2, (BAND_1_2, BAND_2_2)),
)  # fmt: skip
