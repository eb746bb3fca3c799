#!/bin/sh
# The Windows installer compiled by Inno Setup and run under Wine, for all users: installed, updated, removed, nothing left.
# As root, on a Debian with mmdebstrap, npm and xvfb; a minute and 1 GB in a temporary folder, deleted at the end. The programs that
# it installs are stand-ins: it proves the script, not the application. Wine 8 knows no folder for /CURRENTUSER.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
place=$(mktemp -d)
root=$place/root
end() {
    umount "$root/proc" "$root/tmp/.X11-unix" 2>/dev/null || true
    kill "$screen" 2>/dev/null || true
    rm -rf "$place"
}
mkdir -p /tmp/.X11-unix
Xvfb :78 -screen 0 1024x768x24 -nolisten tcp >/dev/null 2>&1 &
screen=$!
trap end EXIT
mmdebstrap --quiet --variant=minbase --architectures=amd64,i386 --include=wine,wine32:i386,wine64 bookworm "$root" http://deb.debian.org/debian
mkdir -p "$root/tmp/.X11-unix" "$root/repo/packaging/bundle/windows" "$root/dist/_internal" "$root/icons" "$root/out"
mount --bind /proc "$root/proc"
mount --bind /tmp/.X11-unix "$root/tmp/.X11-unix"
(cd "$place" && npm pack --silent innosetup@6.4.1 >/dev/null && tar -xzf innosetup-*.tgz) # it brings the compiler
mv "$place/package/bin" "$root/inno"
cp "$here"/* "$root/repo/packaging/bundle/windows/"
cp "$here/../../../LICENSE" "$root/repo/"
cp "$here/../../../build/bundle/icons/bayescope.ico" "$root/icons/" # of "dev.py bundle"
for name in bayescope bayescope-console; do cp "$root/inno/ISCC.exe" "$root/dist/$name.exe"; done
touch "$root/dist/_internal/file"
cat >"$root/try.sh" <<'INSIDE'
set -eu
export HOME=/root WINEDEBUG=-all DISPLAY=:78 WINEPREFIX=/root/w PATH=/usr/bin:/bin:/usr/sbin:/sbin
environment() { wine reg query 'HKCU\Environment' /v Path | tr -d '\r' | sed -n 's/.*REG_EXPAND_SZ *//p'; }
known() { wine reg query "HKLM\\Software\\Classes\\$1" >/dev/null 2>&1; }
must() { words=$1; shift; "$@" || { echo "NOT PROVEN: $words"; exit 1; }; echo "$words"; }
same() { [ "$1" = "$2" ]; }
setup() { wine /out/bayescope-0.1.0-setup.exe /VERYSILENT /SUPPRESSMSGBOXES /ALLUSERS /TASKS=path; }
wineboot -i >/dev/null 2>&1
wine winecfg -v win10
wine reg add 'HKCU\Environment' /v Path /t REG_EXPAND_SZ /d 'C:\mine' /f >/dev/null
cd /repo # warnings of the compiler are printed
wine /inno/ISCC.exe /DVersion=0.1.0 '/DFolder=Z:\dist' '/DIcons=Z:\icons' '/OZ:\out' 'Z:\repo\packaging\bundle\windows\bayescope.iss' |
    tr -d '\r' | grep -E 'Warning|Error|Successful'
program='/root/w/drive_c/Program Files/Bayescope'
must "it installs without a question" setup
must "the program is there" test -e "$program/bayescope.exe"
must "the file type is known" known Bayescope.Analysis
must "the command line is on the path" same "$(environment)" 'C:\mine;C:\Program Files\Bayescope\bin'
touch "$program/_internal/of-the-version-before"
must "it updates" setup
must "a file of the version before is gone" test ! -e "$program/_internal/of-the-version-before"
must "it is on the path once" same "$(environment)" 'C:\mine;C:\Program Files\Bayescope\bin'
must "it is removed without a question" wine "$program/unins000.exe" /VERYSILENT /SUPPRESSMSGBOXES
sleep 4 # the remover removes itself from a copy of itself
must "no file is left" same "$(find /root/w/drive_c -ipath '*bayescope*')" ''
must "the path is as it was" same "$(environment)" 'C:\mine'
if known Bayescope.Analysis || known .bayescope; then echo "NOT PROVEN: the file type is gone"; exit 1; fi
echo "the file type is gone"
wineserver -k
INSIDE
chroot "$root" sh /try.sh
