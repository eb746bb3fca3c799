"""run_swmm.py NAME.inp -> NAME.rpt"""

import os
import sys

from swmm.toolkit import solver

base = os.path.splitext(sys.argv[1])[0]
solver.swmm_open(sys.argv[1], base + ".rpt", base + ".out")
solver.swmm_start(1)
while solver.swmm_step() > 0:
    pass
solver.swmm_end()
solver.swmm_report()
solver.swmm_close()
