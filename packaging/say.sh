# shellcheck shell=bash
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# What the scripts of this folder tell of themselves, on standard error. Sourced by them.
moved= # a moving line stands on the terminal
clear_line() { [ -z "$moved" ] || printf '\r\033[K' >&2; moved=; }
say() { clear_line; echo "cutaway: $*" >&2; }
fail() { say "$*"; exit 1; }

# step N WHAT: of the steps of packaging/run and packaging/test; said if CUTAWAY_STEPS tells how many there are.
# took: how long each took on a machine with two cores.
took=('' 'ten seconds' 'a minute' 'five seconds' 'five minutes' 'a second')
step() { [ -z "${CUTAWAY_STEPS:-}" ] || say "$(step_name "$1")$2"; }
step_name() { [ -z "${CUTAWAY_STEPS:-}" ] || echo "step $1 of $CUTAWAY_STEPS, "; }
first_time() { echo "(elsewhere, on two cores: ${took[$1]})"; }

# move TEXT: on a terminal the one line that moves; in a log a line every 20 seconds
told=$SECONDS
[ -t 2 ] && pause=1 || pause=20
move() {
  [ $((SECONDS - told)) -ge "$pause" ] || return 0
  told=$SECONDS
  if [ "$pause" = 1 ]; then
    local width; width=$(tput cols 2>/dev/null) || width=80
    moved=1; printf '\r\033[K%.*s' $((width - 1)) "cutaway: $*" >&2
  else say "$*"; fi
}

minutes() { # SECONDS: in words
  if [ "$1" -lt 45 ]; then echo "less than a minute"
  elif [ "$1" -lt 90 ]; then echo "about 1 minute"
  else echo "about $((($1 + 30) / 60)) minutes"; fi
}

free_mib() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'; }
