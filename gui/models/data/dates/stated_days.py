"""From which dates outputs count, as the program's own text says. Pure."""

from __future__ import annotations

import msgspec

from bayescope.engine.problem import definition as d
from bayescope.engine.problem.data.dates.stated_day_zero import Stated, stated, statements
from bayescope.engine.protocol import TrialRunReport
from bayescope.gui.models.simulator.outputs.output_views import texts_of


def stated_days(problem: d.Problem, report: TrialRunReport | None) -> dict[str, Stated]:
    """Time 0 of each output of which its name, the heading it is read by, or a text of the newest test run says it."""
    return {o.name: one for o in problem.outputs if (one := stated_day(o, report)) is not None}


def stated_day(output: d.Output, report: TrialRunReport | None) -> Stated | None:
    """Time 0 of one output; None: nothing says it. Labels count from nothing."""
    if output.text:
        return None
    texts = texts_of(report)
    ordered = [texts.pop(output.source, ""), *texts.values()]
    read_by = (v for v in msgspec.structs.asdict(output.extractor).values() if isinstance(v, str))
    return stated(output.name, (output.name, f"{output.name} {output.unit}", *read_by), ordered)


def unread_day(report: TrialRunReport | None) -> Stated | None:
    """Time 0 of the first variable of which a text of the newest test run says it; for where no output is one."""
    return next((one for text in texts_of(report).values() for one in statements(text) if one.of), None)
