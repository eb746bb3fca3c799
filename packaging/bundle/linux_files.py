"""What the desktop is told of the application on Linux: menu entry, icons, file type, software centre, manual page.

Paths are those below ``share`` of an installation prefix.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import textwrap
from datetime import UTC, datetime
from email.utils import format_datetime
from html import escape
from pathlib import Path

from metadata import NEWS, PROJECT, SUMMARY, VERSION, Release, releases

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
APP_ID = "org.bayescope.Bayescope"
MIME = "application-x-bayescope"
MAINTAINER = "The Bayescope developers <bayescope@localhost>"


def metainfo(told: list[Release]) -> str:
    """The AppStream description, its releases from the help page “What is new”."""
    news = "\n".join(
        f'    <release version="{r.version}" date="{r.date}">\n      <description>\n        <ul>\n'
        + "".join(f"          <li>{escape(change)}</li>\n" for change in r.changes)
        + "        </ul>\n      </description>\n    </release>"
        for r in told
    )
    return f"""<?xml version="1.0" encoding="UTF-8"?>
<component type="desktop-application">
  <id>{APP_ID}</id>
  <metadata_license>CC0-1.0</metadata_license>
  <project_license>{PROJECT["license"]}</project_license>
  <name>Bayescope</name>
  <summary>Posterior distributions from expensive simulators</summary>
  <developer id="org.bayescope"><name>The Bayescope developers</name></developer>
  <description>
    <p>Point it at your own simulator, say which numbers are unknown and what was measured, press Start, and watch the posterior
      distribution of the unknowns take shape. No code. Tens to hundreds of simulator runs instead of tens of thousands.</p>
    <p>Every finished run is on disk before anyone is told of it; a crash, a sleep or a power cut loses none. Nothing is sent
      over the network, unless you have runs made on other computers.</p>
  </description>
  <launchable type="desktop-id">bayescope.desktop</launchable>
  <provides>
    <binary>bayescope</binary>
    <mediatype>application/x-bayescope</mediatype>
  </provides>
  <content_rating type="oars-1.1"/>
  <releases>
{news}
  </releases>
</component>
"""


def put(share: Path, icons: Path, python: Path) -> None:
    """All files below ``share``; ``icons``: what icons.py drew; ``python``: of the environment."""
    told = releases(NEWS.read_text(encoding="utf-8"))
    _copy(HERE / "linux" / "bayescope.desktop", share / "applications" / "bayescope.desktop")
    _copy(HERE / "linux" / "bayescope.xml", share / "mime" / "packages" / "bayescope.xml")
    _write(share / "metainfo" / f"{APP_ID}.metainfo.xml", metainfo(told).encode())
    svg = ROOT / "resources" / "icons" / "bayescope.svg"
    for picture in sorted(icons.glob("bayescope-*.png")):
        size = int(picture.stem.rpartition("-")[2])
        if size <= 512:  # the largest folder that icon themes have
            folder = share / "icons" / "hicolor" / f"{size}x{size}"
            _copy(picture, folder / "apps" / "bayescope.png")
            _copy(picture, folder / "mimetypes" / f"{MIME}.png")
    _copy(svg, share / "icons" / "hicolor" / "scalable" / "apps" / "bayescope.svg")
    _copy(svg, share / "icons" / "hicolor" / "scalable" / "mimetypes" / f"{MIME}.svg")
    page = icons / "bayescope.1"
    subprocess.run([str(python), str(HERE / "manual.py"), str(page)], check=True)
    _write(share / "man" / "man1" / "bayescope.1.gz", packed(page.read_bytes()))
    _write(share / "doc" / "bayescope" / "copyright", copyright_text().encode())
    _write(share / "doc" / "bayescope" / "changelog.gz", packed(changelog(told).encode()))


def packed(data: bytes) -> bytes:
    return gzip.compress(data, 9, mtime=0)  # the same bytes from the same text


def changelog(told: list[Release]) -> str:
    """The news in the form that Debian's tools read."""
    return "\n".join(
        f"bayescope ({r.version}) stable; urgency=medium\n\n"
        + "".join(textwrap.fill(c, 78, initial_indent="  * ", subsequent_indent="    ") + "\n" for c in r.changes)
        + f"\n -- {MAINTAINER}  {format_datetime(datetime.fromisoformat(r.date).replace(tzinfo=UTC))}\n"
        for r in told
    )


def copyright_text() -> str:
    own = (ROOT / "LICENSE").read_text(encoding="utf-8")
    return f"""Bayescope {VERSION}: {SUMMARY}

{own}
The package holds Python and libraries that it is built on, each under its own licence (Qt and PySide: LGPL 3; torch, numpy,
scipy: BSD; and others). The texts lie in /opt/bayescope/_internal/licences; on Debian the LGPL 3 is also
/usr/share/common-licenses/LGPL-3.
"""


def _copy(source: Path, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(source, target)


def _write(target: Path, data: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(data)
