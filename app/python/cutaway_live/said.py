# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""What torch says of an export that failed, taken apart: the reason, the line of the user's program, what it suggests.

Its messages have no form that is documented; this reads those of torch 2.5 to 2.14, and leaves out what it does not find.
"""
from __future__ import annotations

import contextlib
import linecache
import os
import re
import sys
import traceback
from collections.abc import Iterator
from types import FrameType
from typing import Any, Optional

from cutaway_live.failure import Place

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
FRAME = re.compile(r'^\s*File "([^"\n]+)", line (\d+), in (\S+)', re.MULTILINE)
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z])")
ADVISING = re.compile(r"^(?:Hint: |Please |Suggested fix|To fix |[Cc]onsider )")
HINT = re.compile(r"^(?:Hint: |[Cc]onsider )")
WORTHLESS = re.compile(r"It may be possible to write Dynamo|report (?:an issue|a bug)|docs\.google\.com|follow the instructions|"
                       r"This graph break is fundamental")
ASIDE = re.compile(r" \((?:(?:unhinted|Size-like symbols): .*|see https?://\S+ for how to fix)\)\.?(?=\s|$)")
MOST = 5  # pieces of advice
LONGEST = 300  # letters of a reason


def plain(text: str) -> str:
    return ESCAPES.sub("", text)


def reason(fault: BaseException) -> str:
    """The first sentences of what it says, without advice."""
    text = f"KeyError: {fault}" if isinstance(fault, KeyError) else str(fault)  # it says no more than the key
    lines = [line.strip() for line in plain(text).splitlines() if line.strip()]
    if lines and lines[0].startswith("Failed running"):  # what failed in it stands below
        lines = lines[1:]
    if not lines:
        return type(fault).__name__
    first = " ".join(sentence for sentence in SENTENCE_END.split(lines[0]) if not _is_aside(sentence)) or lines[0]
    explanation = next((line for line in lines[1:4] if line.startswith("Explanation: ")), "")
    if explanation:
        first = f"{first}: {explanation[len('Explanation: '):]}"
    first = ASIDE.sub("", first).strip()
    return first if len(first) <= LONGEST else first[:LONGEST] + "…"


def _is_aside(sentence: str) -> bool:
    return bool(ADVISING.match(sentence)) or sentence.startswith("For more information")


def advice(message: str) -> list[str]:
    """What it suggests, each in a line or a short block."""
    found: list[str] = []
    lines = message.splitlines()
    for i, line in enumerate(lines):
        line = line.strip()
        for sentence in [line] if line.startswith("Hint: ") else SENTENCE_END.split(line):
            if ADVISING.match(sentence) and not WORTHLESS.search(sentence):
                found.append("\n".join([HINT.sub(_begun, sentence), *_block(lines, i)]))
    return list(dict.fromkeys(found))[:MOST]


def _begun(match: re.Match[str]) -> str:
    return "" if match[0] == "Hint: " else "Consider "


def _block(lines: list[str], at: int) -> list[str]:
    """The indented lines under one that ends in a colon."""
    if not lines[at].rstrip().endswith(":"):
        return []
    margin = len(lines[at]) - len(lines[at].lstrip())
    block = []
    for line in lines[at + 1:at + 6]:
        if not line.strip() or len(line) - len(line.lstrip()) <= margin:
            break
        block.append(line.strip())
    return block


# ---- the line of the user's program

def place(fault: BaseException) -> Optional[Place]:
    """Where the user's program was, innermost: as the message says, else as the frames are."""
    named = [(file, int(line), name) for file, line, name in FRAME.findall(plain(str(fault)))]
    stack = [(each.filename, each.lineno or 0, each.name) for each in getattr(fault, "real_stack", None) or ()]
    walked = [(frame.f_code.co_filename, line, frame.f_code.co_name) for frame, line in _lines(fault)]
    for places in (named, stack, walked):
        of_user = [each for each in places if not _is_library(each[0])]
        if of_user:
            file, number, function = of_user[-1]
            return Place(file, number, function, linecache.getline(file, number).strip())
    return None


def _is_library(file: str) -> bool:
    """Whether it is of torch, of this package, or code that torch has made."""
    torch = os.path.dirname(getattr(sys.modules.get("torch"), "__file__", None) or "/no torch")
    own = os.path.dirname(os.path.abspath(__file__))
    return file.startswith((torch + os.sep, own + os.sep, "<frozen ", "<eval_with_key>")) or file == contextlib.__file__


def causes(fault: Optional[BaseException]) -> Iterator[BaseException]:
    seen: set[int] = set()
    while fault is not None and id(fault) not in seen:
        seen.add(id(fault))
        yield fault
        fault = fault.__cause__ or fault.__context__


def _lines(fault: BaseException) -> Iterator[tuple[FrameType, int]]:
    for each in causes(fault):
        yield from traceback.walk_tb(each.__traceback__)


def frames(fault: Any) -> Iterator[FrameType]:
    for frame, _ in _lines(fault):
        yield frame
