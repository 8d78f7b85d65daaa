# shellcheck shell=bash
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
# Tests of packages in fresh roots. Sourced by test-deb, test-bundle and test-wheel, which have say.sh, $here and $source; it
# makes the folder $work, whose folder root is the root, and takes it away in the end.
work=$(mktemp -d "${XDG_CACHE_HOME:-$HOME/.cache}/cutaway/${0##*/}.XXXXXX")
root=$work/root
trap 'rm -rf --one-file-system "$work"' EXIT

model=${CUTAWAY_MODEL:-$source/resources/samples/small_vision.onnx}
tests=0 failed=0 where=
check() { # NAME CMD...: a test; what it prints is shown if it fails
  local name="$where$1" status=0; shift
  tests=$((tests + 1))
  "$@" >"$work/said" 2>&1 </dev/null || status=$?
  if [ $status = 0 ]; then echo "passed  $name"
  else failed=$((failed + 1)); echo "FAILED  $name (exit code $status)"; sed 's/^/        /' "$work/said"; fi
}
finish() { # the line that is counted; exit code 1 if a test failed
  echo "$failed tests failed out of $tests"
  [ $failed = 0 ]
}
inside() { "$here/fresh-root" --run "$root" "$@"; }
as_user() { inside setpriv --reuid 1000 --regid 1000 --clear-groups env HOME=/user QT_QPA_PLATFORM=offscreen sh -c "$@"; }
add_user() { # and two models, ~/model.onnx and, with code, ~/code.pt; a third, ~/first.*, is the one of CUTAWAY_MODEL
  mkdir -p "$root/user"
  cp "$source/resources/samples/small_vision.onnx" "$root/user/model.onnx"
  "$here/env" python3 -B "$here/scripted_model.py" "$root/user/code.pt"
  cp "$model" "$root/user/first.${model##*.}"
  echo 'user:x:1000:1000::/user:/bin/sh' >> "$root/etc/passwd"
  chown -R 1000:1000 "$root/user"
}
says() { # CODE TEXT CMD: CMD, by the user, ends with the code after one line with the text
  as_user "said=\$(mktemp); $3 > \$said 2>&1; code=\$?; cat \$said; test \$code = $1 && test \$(wc -l < \$said) = 1 && grep -q '$2' \$said"
}
code_is_coloured() { # PNG of the window with a view of code: it has the colour of Python's types
  "$here/env" python3 -B "$here/picture_colours.py" "$1" 644a9b
}
locked_home() { chmod 555 "$root/user"; chown -R 0:0 "$root/user"; }
unlocked_home() { chown -R 1000:1000 "$root/user"; chmod 755 "$root/user"; }
