"""film.py - reflectance and transmittance of a thin-film stack, coherent transfer matrices

usage:  python film.py DECK

Deck: one keyword a line, '#' starts a comment.
  title       any words
  ambient     NAME  A  B  k
  layer       NAME  thickness_nm  A  B  k       (from the top downwards)
  substrate   NAME  A  B  k
  angles      deg deg ...
  wavelengths first last step                   (nm)
n(lambda) = A + B / lambda^2, lambda in micrometres.
"""

import sys
from pathlib import Path

import numpy as np


def read(path):
    stack, angles, wl, title = [], [], [], ""
    for line in path.read_text().splitlines():
        w = line.split("#")[0].split()
        if not w:
            continue
        key = w[0].lower()
        if key == "title":
            title = " ".join(w[1:])
        elif key in ("ambient", "substrate"):
            stack.append((w[1], np.inf, *map(float, w[2:5])))
        elif key == "layer":
            stack.append((w[1], *map(float, w[2:6])))
        elif key == "angles":
            angles = [float(x) for x in w[1:]]
        elif key == "wavelengths":
            a, b, s = map(float, w[1:4])
            wl = [a + i * s for i in range(round((b - a) / s) + 1)]
        else:
            sys.exit(f"film.py: unknown keyword {w[0]!r} in {path}")
    return title, stack, angles, wl


def rt(pol, n, d, angle, lam):
    """Reflectance and transmittance: one transfer matrix a layer, Fresnel coefficients between them."""
    n = np.array(n, complex)
    cos = np.sqrt(1 - (n[0] * np.sin(angle) / n) ** 2)
    m = np.eye(2, dtype=complex)
    for i in range(len(n) - 1):
        a, b = (n[i] * cos[i], n[i + 1] * cos[i + 1]) if pol == "s" else (n[i + 1] * cos[i], n[i] * cos[i + 1])
        r = (a - b) / (a + b)
        t = 2 * n[i] * cos[i] / (a + b)
        if i:
            phase = 2 * np.pi * n[i] * cos[i] * d[i] / lam
            m = m @ np.diag([np.exp(-1j * phase), np.exp(1j * phase)])
        m = m @ np.array([[1, r], [r, 1]]) / t
    r, t = m[1, 0] / m[0, 0], 1 / m[0, 0]
    ends = [n[i] * (cos[i] if pol == "s" else np.conj(cos[i])) for i in (-1, 0)]
    return abs(r) ** 2, abs(t) ** 2 * ends[0].real / ends[1].real


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    title, stack, angles, wl = read(Path(sys.argv[1]))
    print("FILM 1.3   thin-film stack, coherent transfer matrices")
    print("Title:", title)
    print()
    print("Layer        d / nm          A          B          k")
    for name, d, A, B, k in stack:
        print(f"{name:<10}{d:9.3f}{A:11.5f}{B:11.5f}{k:11.5f}")
    d_list = [s[1] for s in stack]
    for ang in angles:
        print()
        print(f"ANGLE OF INCIDENCE  {ang:.1f} deg")
        print("  wl/nm       Rs         Rp         Ts         Tp")
        print("-" * 52)
        for lam in wl:
            n = [A + B / (lam / 1000) ** 2 + 1j * k for _, _, A, B, k in stack]
            (rs, ts), (rp, tp) = (rt(pol, n, d_list, ang * np.pi / 180, lam) for pol in "sp")
            print(f"{lam:7.1f}{rs:11.6f}{rp:11.6f}{ts:11.6f}{tp:11.6f}")
    print()
    print("Normal end.")


main()
