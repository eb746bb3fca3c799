"""Make the example's measured data, once: the paper's true values, noise variance 1e-2 (seed 000, section 7.3).

    python -m bayescope.resources.examples.contamination.make_data
"""

from __future__ import annotations

import numpy as np

from .contamination_source import solve

TRUE_VALUES = {"x0": 0.230, "ts": 0.300, "q0": 6.366, "rho": 0.050}
NOISE_SD = 0.1
SEED = 20190703


def main() -> None:
    rng = np.random.default_rng(SEED)
    print("time,left,right")
    for time, left, right in solve(**TRUE_VALUES):
        noisy = np.array([left, right]) + NOISE_SD * rng.standard_normal(2)
        print(f"{time:.3f},{noisy[0]:.4f},{noisy[1]:.4f}")


if __name__ == "__main__":
    main()
