"""Every colour of the window by name, for the light and the dark theme. No other file names a colour.

Lines in plots are Okabe-Ito (told apart under the common colour-vision deficiencies), values are viridis (light theme and dark
theme alike: monotone in lightness). Text on its background has a contrast of at least 4.5 : 1.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Colours:
    """Hex colours. ``surface``: cards and inputs on the ``window``; ``muted``: secondary text; ``*_soft``: tinted backgrounds."""

    name: str
    window: str
    surface: str
    raised: str  # buttons, table headers
    sunken: str  # wells, tracks of sliders
    border: str
    border_strong: str
    text: str
    muted: str
    disabled: str
    accent: str
    accent_hover: str
    accent_pressed: str
    accent_soft: str
    on_accent: str
    focus: str
    selection: str
    ok: str
    ok_soft: str
    warning: str
    warning_soft: str
    error: str
    error_soft: str
    plot_background: str
    plot_axis: str
    plot_grid: str
    plot_text: str
    posterior: str
    prior: str
    elbo: str
    evidence: str
    data: str
    prediction: str
    failure: str
    highlight: str
    warm_up: str
    shadow: str
    reasons: tuple[str, ...]  # of failures, beside ``failure`` for a crash: in the order of failure_kinds.KINDS
    modes: tuple[str, ...]  # of separate modes, the first A; none is the posterior's or a failure's


LIGHT = Colours(
    name="light",
    window="#F4F6F8",
    surface="#FFFFFF",
    raised="#F8FAFB",
    sunken="#E9EDF1",
    border="#DCE2E8",
    border_strong="#B9C3CD",
    text="#17212B",
    muted="#566373",
    disabled="#7B8794",
    accent="#0B6AA8",
    accent_hover="#0A5C92",
    accent_pressed="#084B78",
    accent_soft="#E3F0F9",
    on_accent="#FFFFFF",
    focus="#2F8FD0",
    selection="#CFE5F5",
    ok="#14735A",
    ok_soft="#DFF3EC",
    warning="#865A00",
    warning_soft="#FCF1D8",
    error="#AE3A14",
    error_soft="#FBE6DE",
    plot_background="#FFFFFF",
    plot_axis="#8A97A5",
    plot_grid="#EDF0F3",
    plot_text="#43505E",
    posterior="#0072B2",
    prior="#8A97A5",
    elbo="#0072B2",
    evidence="#009E73",
    data="#17212B",
    prediction="#0072B2",
    failure="#D55E00",
    highlight="#D55E00",
    warm_up="#F3EDDD",
    shadow="#1A17212B",
    reasons=(
        "#D55E00", "#8E3B9E", "#B3004B", "#7A4A21", "#0B6AA8", "#2B6E4F", "#5B5FC7", "#17212B", "#0F7C80", "#6B7683", "#8A6D00",
    ),
    modes=("#B8458A", "#009E73", "#A87000", "#6A51A3", "#5E6B78"),
)

DARK = Colours(
    name="dark",
    window="#12161B",
    surface="#1A2027",
    raised="#222A33",
    sunken="#0D1115",
    border="#2C3641",
    border_strong="#485665",
    text="#E5EAF0",
    muted="#A0ADBA",
    disabled="#7C8996",
    accent="#3D9BDC",
    accent_hover="#58AEEA",
    accent_pressed="#2C86C4",
    accent_soft="#16324A",
    on_accent="#07131D",
    focus="#6BB8EE",
    selection="#1F4666",
    ok="#4FC7A0",
    ok_soft="#12352C",
    warning="#E8B64C",
    warning_soft="#3A2E13",
    error="#F28A5F",
    error_soft="#42231A",
    plot_background="#1A2027",
    plot_axis="#6B7987",
    plot_grid="#252E38",
    plot_text="#B4C0CC",
    posterior="#56B4E9",
    prior="#7C8996",
    elbo="#56B4E9",
    evidence="#2FBF95",
    data="#E5EAF0",
    prediction="#56B4E9",
    failure="#F0803C",
    highlight="#F0803C",
    warm_up="#26241C",
    shadow="#66000000",
    reasons=(
        "#F0803C", "#C99BF0", "#FF7FA3", "#C9A27A", "#6BB8EE", "#7FD6A8", "#A3A9FF", "#E5EAF0", "#5CCFD3", "#98A5B2", "#E6C84F",
    ),
    modes=("#E58CC0", "#2FBF95", "#E6B93C", "#B3A2E8", "#A0ADBA"),
)

OKABE_ITO = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000")

# viridis at 17 places (matplotlib's table); between them linear interpolation
VIRIDIS = (
    "#440154", "#481467", "#482677", "#453781", "#404788", "#39558C", "#33638D", "#2D708E", "#287D8E",
    "#238A8D", "#1F968B", "#20A387", "#29AF7F", "#3CBB75", "#55C667", "#95D840", "#FDE725",
)  # fmt: skip


def rgb(hex_colour: str) -> tuple[int, int, int]:
    """'#0072B2' as (0, 114, 178)."""
    h = hex_colour.lstrip("#")[-6:]
    return int(h[0:2], 16), int(h[2:4], 16), int(h[4:6], 16)
