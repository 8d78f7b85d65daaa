#!/bin/sh
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Starts the program of this name with the libraries that lie beside it, and with no others; it may lie anywhere.
own=$(dirname "$(readlink -f "$0")")/lib
fail() { echo "cutaway: $1" >&2; exit 4; }
[ "$(uname -m)" = x86_64 ] || fail "this Cutaway is for x86-64, and this machine is $(uname -m): build from source"
for part in "$own/ld-linux-x86-64.so.2" "$own/cutaway/bin/${0##*/}"; do
  [ -x "$part" ] || fail "$part is missing or may not be executed: unpack or install Cutaway again, on a disk that runs programs"
done
case "${0##*/} ${1:-}" in "cutaway --install-desktop" | "cutaway --uninstall-desktop") exec "$own/cutaway/desktop.sh" "$1" ;; esac
PATH=$own/cutaway/first:$PATH:$own/cutaway/last # rsvg-convert of here, bwrap of the system if it has one
FONTCONFIG_FILE=${FONTCONFIG_FILE:-$own/cutaway/fonts.conf}
export PATH FONTCONFIG_FILE
exec "$own/ld-linux-x86-64.so.2" --library-path "$own" --argv0 "$0" "$own/cutaway/bin/${0##*/}" "$@"
