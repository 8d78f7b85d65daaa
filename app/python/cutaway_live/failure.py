# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""How far an export came that failed, where it stopped, why, and what torch suggests: as an error, as a page, as a recording."""
from __future__ import annotations

import dataclasses
import html
import json
import linecache
import os
import tempfile
from typing import Any, Optional

import cutaway
from cutaway_record.log import Log

AROUND = 5  # lines of the program before and after the one where it stopped
LONGEST = 20_000  # letters of what torch said, in a recording

STYLE = """<style>.cutaway-failure{font:14px/1.5 system-ui,sans-serif;max-width:60em;color-scheme:light dark}
.cutaway-failure h1{font-size:1.3em}.cutaway-failure h2{font-size:1.05em;margin:1.2em 0 .3em}
.cutaway-failure pre{background:#8882;padding:.6em .8em;overflow:auto;border-radius:4px;white-space:pre-wrap}
.cutaway-failure .picture{background:#fff;overflow:auto;border-radius:4px;max-height:40em}
.cutaway-failure td{padding:.15em 1em .15em 0;vertical-align:top;text-align:left}
.cutaway-failure td:first-child{white-space:nowrap}</style>"""


@dataclasses.dataclass(frozen=True)
class Place:
    """A line of a program."""

    file: str
    line: int
    function: str
    code: str

    def __str__(self) -> str:
        shown = f"{self.file}:{self.line} in {self.function}"
        return f"{shown}: {self.code}" if self.code else shown

    def around(self) -> tuple[int, list[str]]:
        """The lines around it, with the number of the first; none where the program cannot be read."""
        lines = linecache.getlines(self.file)
        first = max(1, self.line - AROUND)
        return first, [line.rstrip() for line in lines[first - 1:self.line + AROUND]]


@dataclasses.dataclass(frozen=True)
class Attempt:
    """A way to export a module, and how it ended. Without a reason it came to the end: so does draft export alone."""

    how: str
    reason: str = ""
    place: Optional[Place] = None
    advice: list[str] = dataclasses.field(default_factory=list)
    graph: str = ""  # what was traced until then, as torch prints it; "" for nothing
    nodes: int = 0
    message: str = ""  # all that torch said

    @property
    def outcome(self) -> str:
        nodes = f"{self.nodes} node{'' if self.nodes == 1 else 's'}"
        if not self.reason:
            return f"a graph of {nodes}, which holds for inputs like these alone"
        return f"after {nodes}: {self.reason}" if self.nodes else self.reason


class ExportFailure(cutaway.Error):
    """A module that torch cannot export."""

    def __init__(self, name: str, attempts: list[Attempt]):
        self.name, self.attempts = name, attempts
        self.kind, self.reproducer = "backend", None
        failed = [each for each in attempts if each.reason]
        best = max(failed, key=lambda each: (each.place is not None, bool(each.advice)))  # of equal ones the first
        self.reason, self.place = best.reason, best.place
        self.advice = list(dict.fromkeys(line for each in attempts for line in each.advice))
        self._model: Optional[cutaway.Model] = None
        super().__init__(self._text())

    @property
    def graph(self) -> str:
        """The longest graph that was traced, as torch prints it; "" for none."""
        return max(self.attempts, key=lambda each: each.nodes).graph

    @property
    def model(self) -> Optional[cutaway.Model]:
        """The longest graph that was traced; None without one."""
        if self._model is None and self.graph:
            with tempfile.TemporaryDirectory(prefix="cutaway-") as folder:
                file = recorded(os.path.join(folder, "graph.cutaway"), [Attempt("so far", graph=self.graph)])
                self._model = cutaway._open_saved(file, f"{self.name}, as far as it was exported")
        return self._model

    def record(self, folder: str) -> str:
        """Writes all that is known into a recording, each graph a step, for the window; its path."""
        return recorded(os.path.join(folder, f"{self.name}-export.cutaway"), self.attempts, self._told())

    def _told(self) -> dict[str, Any]:
        """What the recording says of it beside the graphs; core/sequence/facts/export_failure.h reads it."""
        told: dict[str, Any] = {"model": self.name, "reason": self.reason, "advice": self.advice}
        if self.place:
            first, lines = self.place.around()
            told["place"] = {**dataclasses.asdict(self.place), "first_around": first, "around": lines}
        told["attempts"] = [{"how": each.how, "outcome": each.outcome, "message": each.message[:LONGEST],
                             "has_graph": bool(each.graph)} for each in self.attempts]
        return told

    def save(self, path: str) -> None:
        """Writes the page."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{html.escape(self.name)}</title>'
                       f'<meta name="viewport" content="width=device-width"></head><body>{self._repr_html_()}</body></html>\n')

    def _text(self) -> str:
        lines = [f"{self.name} cannot be exported: {self.reason}"]
        if self.place:
            lines.append(f"  at {self.place}")
        lines += [f"  torch suggests: {_indented(each)}" for each in self.advice]
        lines += [f"  {each.how}: {each.outcome}" for each in self.attempts]
        return "\n".join(lines)

    def _render_traceback_(self) -> list[str]:
        """What a notebook prints, in place of the frames of Cutaway and torch."""
        return [f"ExportFailure: {self}"]

    def _repr_html_(self) -> str:
        parts = [STYLE, '<div class="cutaway-failure">', f"<h1>{html.escape(self.name)} cannot be exported</h1>",
                 f"<p>{html.escape(self.reason)}</p>"]
        if self.place:
            at = f"{self.place.file}:{self.place.line} in {self.place.function}"
            parts.append(f"<h2>The line</h2><p>{html.escape(at)}</p><pre>{self._code(self.place)}</pre>")
        if self.advice:
            parts.append("<h2>What torch suggests</h2><ul>")
            parts += [f"<li>{html.escape(each).replace(chr(10), '<br>')}</li>" for each in self.advice]
            parts.append("</ul>")
        parts.append("<h2>Completed steps</h2><table>")
        parts += [f"<tr><td>{html.escape(each.how)}</td><td>{html.escape(each.outcome)}</td></tr>" for each in self.attempts]
        parts.append("</table>")
        if picture := self._picture():
            parts.append(f'<h2>The graph so far</h2><div class="picture">{picture}</div>')
        for each in self.attempts:
            parts.append(f"<details><summary>{html.escape(each.how)}: all that torch said</summary>"
                         f"<pre>{html.escape(each.message)}</pre></details>")
        return "".join([*parts, "</div>"])

    @staticmethod
    def _code(place: Place) -> str:
        first, lines = place.around()
        shown = [f"{number:4}  {html.escape(line)}" for number, line in enumerate(lines, first)]
        return "\n".join(f"<b>{line}</b>" if number == place.line else line
                         for number, line in enumerate(shown, first)) or html.escape(place.code)

    def _picture(self) -> str:
        try:
            return self.model.draw().svg if self.model is not None else ""
        except cutaway.Error:
            return ""


def recorded(path: str, attempts: list[Attempt], told: Optional[dict[str, Any]] = None) -> str:
    """Writes graphs as the steps of a recording, with what else is told of them; the path."""
    log = Log(path)
    log.write("cutaway_recording", {"version": 1})
    if told:
        log.write("cutaway_export_failure", {}, json.dumps(told))
    for number, each in enumerate(attempt for attempt in attempts if attempt.graph):
        fields: dict[str, Any] = {"name": _title(each), "number": number, "notes": _notes(each)}
        if each.reason:
            fields["failed"] = True
        log.write("cutaway_step", fields, each.graph)
    log.close()
    return path


def _title(attempt: Attempt) -> str:
    if attempt.place is None:
        return attempt.how
    return f"{attempt.how}, stopped at {os.path.basename(attempt.place.file)}:{attempt.place.line}"


def _notes(attempt: Attempt) -> list[str]:
    notes = [f"failed: {attempt.reason}"] if attempt.reason else []
    notes += [f"at {attempt.place}"] if attempt.place else []
    return notes + [f"torch suggests: {_indented(each)}" for each in attempt.advice]


def _indented(text: str) -> str:
    return text.replace("\n", "\n    ")
