"""A damaged session file: what can be read of it goes on in a new one."""

from __future__ import annotations

from pathlib import Path

from bayescope.gui.analysis.analysis_file import AnalysisFile


def recover(file: AnalysisFile, damaged: Path, new: Path) -> bool:
    """Copy everything readable of a damaged session into ``new`` and open that. The damaged file is only read."""
    from bayescope.engine.session.salvage import salvage

    try:
        words = salvage(damaged, new).words()
    except Exception as error:
        return file.reports.failed(f"Nothing could be recovered from “{damaged.name}”.", error)
    if not file.open(new):
        return False
    file.reports.report("info", words)
    return True
