"""Files that a script opens for writing, by what its text says: they are no inputs. Pure."""

from __future__ import annotations

import re

_NAME = r"(?:\./)?([\w+-][\w./+-]*\.[A-Za-z]\w{0,7})"
_QUOTED = rf"[\"']{_NAME}[\"']"
_WRITING = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"(?<![<>=-])>{{1,2}}\s*[\"']?{_NAME}",  # of a shell, of Perl and AWK
        rf"\btee\s+(?:-a\s+)?[\"']?{_NAME}",
        rf"(?<!\S)(?:-o|--out(?:put)?)[\s=]+[\"']?{_NAME}",
        rf"\(\s*{_QUOTED}\s*,\s*(?:mode\s*=\s*)?[\"'][wax][bt]?\+?[bt]?[\"']",  # open, fopen, netcdf_file, Dataset, h5py.File
        rf"\bpath\(\s*{_QUOTED}\s*\)\.(?:write_\w+|open\(\s*[\"'][wax])",
        rf"\b(?:savetxt|savez?|savez_compressed|savefig|saveas|to_\w+|write\w*|dlmwrite|csvwrite|exportgraphics)\(\s*{_QUOTED}",
        rf"\b(?:write[._]\w+|writematrix|writetable|writecell|savefig|saveRDS|save|dump|sink)\([^()\n]*?[,=]\s*{_QUOTED}",
        rf"\bopen\s*\([^()\n]*\bfile\s*=\s*{_QUOTED}[^()\n]*\b(?:status\s*=\s*[\"'](?:replace|new)|action\s*=\s*[\"']write)[\"']",
        rf"\b(?:ofstream|std::ofstream)\s+\w+\s*[({{]\s*{_QUOTED}",
        rf"\b(?:FileWriter|PrintWriter|FileOutputStream)\(\s*{_QUOTED}",
    )
)


def written_names(text: str) -> set[str]:
    """Names of the files that are opened for writing in the text of a script, as they stand there."""
    return {match[1] for pattern in _WRITING for match in pattern.finditer(text)}
