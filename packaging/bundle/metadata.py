"""What the distribution says of itself, for the packages: version, summary, what is new."""

from __future__ import annotations

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
VERSION: str = PROJECT["version"]
SUMMARY: str = PROJECT["description"]
NEWS = ROOT / "resources" / "help" / "news.md"
MACOS_INFO = {  # of Info.plist: the file type and what it is called
    "NSHighResolutionCapable": True,
    "CFBundleDocumentTypes": [{
        "CFBundleTypeName": "Bayescope analysis", "CFBundleTypeRole": "Editor", "LSHandlerRank": "Owner",
        "CFBundleTypeExtensions": ["bayescope"], "LSItemContentTypes": ["org.bayescope.analysis"],
    }],
    "UTExportedTypeDeclarations": [{
        "UTTypeIdentifier": "org.bayescope.analysis", "UTTypeDescription": "Bayescope analysis",
        "UTTypeConformsTo": ["public.data"], "UTTypeTagSpecification": {"public.filename-extension": ["bayescope"]},
    }],
}  # fmt: skip


@dataclass(frozen=True)
class Release:
    """``date``: year-month-day; ``changes``: one plain sentence each."""

    version: str
    date: str
    changes: tuple[str, ...]


def releases(text: str) -> list[Release]:
    """The releases that the help page “What is new” tells of, the newest first."""
    found = []
    for heading, body in re.findall(r"^## (.+)\n((?:(?!^## ).*\n?)*)", text, re.MULTILINE):
        match = re.fullmatch(r"(\S+) \((\d{4}-\d\d-\d\d)\)", heading.strip())
        if match:
            changes = [line[2:].replace("**", "") for line in re.sub(r"\n  +", " ", body).splitlines() if line.startswith("- ")]
            found.append(Release(match[1], match[2], tuple(changes)))
    return found
