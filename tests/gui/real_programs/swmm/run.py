from swmm.toolkit import solver

solver.swmm_run("catchment.inp", "catchment.rpt", "")
