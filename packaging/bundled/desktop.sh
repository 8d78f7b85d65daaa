#!/bin/sh
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# desktop.sh --install-desktop | --uninstall-desktop: puts the window into the menu of the user, with its icon and the types of
# the files that it opens, or takes it out again.
set -eu
own=$(readlink -f "$(dirname "$(readlink -f "$0")")/../..") id=org.cutaway.Cutaway
data=${XDG_DATA_HOME:-${HOME:?}/.local/share}
fail() { echo "cutaway: $1" >&2; exit 4; }
cd "$own/share"
files=$(find applications icons mime/packages -name "$id.*")

# The path as desktop files have it: quoted, then with the backslashes of their strings; % begins a field.
program=$(printf '%s' "$own/cutaway" | sed 's/[\\"`$]/\\&/g; s/\\/\\\\/g; s/%/%%/g')
of_user() { while IFS= read -r line; do case $line in Exec=*) printf 'Exec="%s" %%f\n' "$program" ;; *) printf '%s\n' "$line" ;; esac; done; }

for file in $files; do
  if [ "$1" = --uninstall-desktop ]; then
    rm -f "$data/$file" || fail "$data/$file cannot be removed"
    (cd "$data" && rmdir -p "${file%/*}") 2>/dev/null || true # what is empty now
  else
    { mkdir -p "$data/${file%/*}" && cp "$file" "$data/$file.part"; } 2>/dev/null || fail "$data/$file cannot be written"
    case $file in *.desktop) of_user < "$file" > "$data/$file.part" ;; esac
    mv "$data/$file.part" "$data/$file"
  fi
done
# What desktops read are lists of these files, where there is a desktop.
! command -v update-desktop-database >/dev/null || update-desktop-database -q "$data/applications" || true
! command -v update-mime-database >/dev/null || [ ! -d "$data/mime" ] || update-mime-database "$data/mime" || true
! command -v gtk-update-icon-cache >/dev/null || [ ! -f "$data/icons/hicolor/index.theme" ] || gtk-update-icon-cache -q "$data/icons/hicolor" || true
case $1 in
  --install-desktop) echo "Cutaway is in your menu now; cutaway --uninstall-desktop takes it out again" ;;
  *) echo "Cutaway is no longer in your menu" ;;
esac
