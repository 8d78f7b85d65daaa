#!/bin/sh
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts the program of this name with the libraries that lie beside it, and with no others; it may lie anywhere.
own=$(dirname "$(readlink -f "$0")")/lib
fail() { echo "cutaway: $1" >&2; exit 4; }
[ "$(uname -m)" = @MACHINE@ ] || fail "this Cutaway is for @MACHINE@, and this machine is $(uname -m): take the one for it, or build from source"
for part in "$own/@LOADER@" "$own/cutaway/bin/${0##*/}"; do
  [ -x "$part" ] || fail "$part is missing or may not be executed: unpack or install Cutaway again, on a disk that runs programs"
done
case "${0##*/} ${1:-}" in "cutaway --install-desktop" | "cutaway --uninstall-desktop") exec "$own/cutaway/desktop.sh" "$1" ;; esac
PATH=$own/cutaway/first:$PATH:$own/cutaway/last # rsvg-convert of here, bwrap of the system if it has one
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$own/cutaway/fonts.conf}
export PATH FONTCONFIG_FILE
exec "$own/@LOADER@" --library-path "$own" --argv0 "$0" "$own/cutaway/bin/${0##*/}" "$@"
