#!/bin/sh
# Bayescope.app in a disk image for macOS. UNTESTED: written on Linux, never run on a Mac.
# make_dmg.sh APP VERSION TARGET
# Signed and notarized only where the secrets for it are given: SIGN_IDENTITY ("Developer ID Application: ..."), NOTARY_PROFILE (of
# xcrun notarytool store-credentials). Without them people must allow the application in System Settings > Privacy & Security.
set -eu
app=$1 version=$2 target=$3
here=$(cd "$(dirname "$0")" && pwd)
staging=$(mktemp -d)
trap 'rm -rf "$staging"' EXIT
if [ -n "${SIGN_IDENTITY:-}" ]; then
    # inside out: every library first, as notarization asks; --deep alone misses files in Resources
    find "$app" -type f \( -name '*.so' -o -name '*.dylib' -o -perm -u+x \) -print0 |
        xargs -0 -n 50 codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$SIGN_IDENTITY"
    codesign --force --timestamp --options runtime --entitlements "$here/entitlements.plist" --sign "$SIGN_IDENTITY" "$app"
    codesign --verify --strict "$app"
fi
cp -R "$app" "$staging/"
ln -s /Applications "$staging/Applications"
hdiutil create -volname "Bayescope $version" -srcfolder "$staging" -ov -format UDZO "$target"
if [ -n "${NOTARY_PROFILE:-}" ]; then
    xcrun notarytool submit "$target" --keychain-profile "$NOTARY_PROFILE" --wait
    xcrun stapler staple "$target"
fi
