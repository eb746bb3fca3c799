"""Log density of earlier evaluations against each parameter."""

from __future__ import annotations

from collections.abc import Sequence

from bayescope.gui.models.archive.archive import DROP_SHOWN, Understood
from bayescope.gui.plots import pg
from bayescope.gui.style.theme import theme

MOST_PLOTS = 6
WIDTH = 120.0  # of a plot, more than one asks for by itself: so that all are equally wide


class ArchivePicture(pg.Canvas):
    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Log density of the earlier evaluations against each parameter")

    def show_archive(self, shown: Understood | None, names: Sequence[str]) -> None:
        """The best row marked, the plausible range as an axis."""
        self.clear()
        self.setBackground(theme.colours.plot_background)
        if shown is None:
            return
        found, count = shown.imported, min(len(names), MOST_PLOTS)
        wide = 1 if count == 1 else 2
        for column in range(wide):
            self.ci.layout.setColumnStretchFactor(column, 1)
            self.ci.layout.setColumnPreferredWidth(column, WIDTH)
        for i in range(count):
            plot = self.add_plot(
                i // wide, i % wide, names[i], "below the best" if i % wide == 0 else "", left=i % wide == 0
            )
            plot.plot(
                shown.points[:, i], shown.below, pen=None, symbol="o", symbolSize=4, symbolPen=None,
                symbolBrush=pg.brush("data", 0.45),
            )  # fmt: skip
            plot.plot(
                [found.best[names[i]]], [0.0], pen=None, symbol="d", symbolSize=11, symbolPen=None,
                symbolBrush=pg.brush("highlight"),
            )  # fmt: skip
            low, high = found.coverage[i].plausible
            plot.plot([low, high], [-DROP_SHOWN, -DROP_SHOWN], pen=pg.pen("prior", 5.0))
            plot.setYRange(-DROP_SHOWN, 2.0)
