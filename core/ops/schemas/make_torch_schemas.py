#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""make_torch_schemas.py NEWEST OLDER... > torch_schemas.txt

Merges lists of operator schemas, one file per torch version with one FunctionSchema per line, as
`[str(s) for s in torch._C._jit_get_all_schemas()]` gives them. Operators are sorted by name, bytewise, so that the
text can be searched as it is. An older schema stays only if the newest of its name and overload would not take the
same arguments; the newest stands first.

Overload resolution takes the first schema that fits, and torch asks them in the order of their registration: those of
the dispatcher (they have tensors), then those of TorchScript itself, where the general forms come last. The lists may be
sorted, so that this order is made again here from what the schemas say.
"""
import re
import sys


def split_top(text):
    """The parts of a text at commas outside of brackets and strings."""
    parts, depth, start = [], 0, 0
    for match in re.finditer(r'"(?:[^"\\]|\\.)*"|[()\[\],]', text):
        token = match.group()
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(token, 0)
        if token == "," and depth == 0:
            parts.append(text[start:match.start()].strip())
            start = match.end()
    return [part for part in parts + [text[start:].strip()] if part]


def arguments(schema):
    """[(name, type without annotations, has a default, keyword only)]"""
    body = schema[schema.index("(") + 1:schema.rindex(") -> ")]
    out, keyword = [], False
    for part in split_top(body):
        if part in ("*", "..."):
            keyword = keyword or part == "*"
            continue
        left, _, default = part.partition("=")
        kind, _, name = left.rpartition(" ")
        kind = re.sub(r"\((\*|[a-z][|a-z]*!?( -> \*)?)\)", "", kind)
        out.append((name, kind.replace("SymInt", "int"), bool(default), keyword))
    return out


def widened(old):
    """Types that take whatever the type `old` takes."""
    return {old, old + "?", "Any", re.sub(r"^(int|float)\b(?!\[)", "Scalar", old)}


def takes_all(new, old):
    """Whether every call of the schema `old` means the same in `new`."""
    new, old = arguments(new), arguments(old)
    by_name = {name: kind for name, kind, _, _ in new}
    for place, (name, kind, _, keyword) in enumerate(old):
        if by_name.get(name) not in widened(kind):
            return False
        if not keyword and (place >= len(new) or new[place][0] != name or new[place][3]):
            return False
    names = {name for name, *_ in old}
    return all(default for name, _, default, _ in new if name not in names)


def rank(schema):
    """Where a schema stands among those of its name: the dispatcher's, TorchScript's, its general ones."""
    if "Tensor" in schema[schema.rindex(" -> "):]:
        return 0
    general = any(re.match(r"(Scalar|Any|t\w*)\b", kind) for _, kind, _, _ in arguments(schema))
    return 2 if general else 1


def main(paths):
    merged = {}  # operator -> overload -> schemas, newest first
    for path in paths:
        with open(path, encoding="utf-8") as lines:
            for schema in filter(None, map(str.strip, lines)):
                operator, _, overload = schema[:schema.index("(")].partition(".")
                known = merged.setdefault(operator, {}).setdefault(overload, [])
                if not any(takes_all(other, schema) for other in known):
                    known.append(schema)
    for operator in sorted(merged):
        schemas = [schema for overload in merged[operator].values() for schema in overload]
        print("\n".join(sorted(schemas, key=rank)))


if __name__ == "__main__":
    main(sys.argv[1:])
