#!/bin/sh
# Menu entry, icons and file type for this user only, of the folder that this file lies in. --remove takes them away again.
# Needs no administrator. Analyses and settings are never touched.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
share=${XDG_DATA_HOME:-$HOME/.local/share}
bin=$HOME/.local/bin
if [ "${1:-}" = --remove ]; then
    (cd "$here/share" && find . -type f) | while read -r file; do rm -f "$share/$file"; done
    [ "$(readlink "$bin/bayescope" 2>/dev/null)" = "$here/bayescope" ] && rm -f "$bin/bayescope"
    echo "Menu entry, icons and file type are removed. The folder $here can be deleted now."
else
    mkdir -p "$share" "$bin"
    cp -R "$here/share/." "$share/"
    # whoever has no ~/.local/bin on the path still has a menu entry that works; spaces are quoted as the standard says
    sed -i "s|^Exec=bayescope|Exec=\"$here/bayescope\"|; s|^TryExec=.*|TryExec=$here/bayescope|" "$share/applications/bayescope.desktop"
    ln -sfn "$here/bayescope" "$bin/bayescope"
    echo "Bayescope is in the menu. To take it out again: $here/install-for-me.sh --remove"
fi
for tool in "update-mime-database $share/mime" "update-desktop-database $share/applications" "gtk-update-icon-cache -qtf $share/icons/hicolor"; do
    command -v "${tool%% *}" >/dev/null && $tool >/dev/null 2>&1 || true
done
