# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import importlib.util
import os
import sys

import pytest

import conversation  # noqa: F401, finds the plugin
from cutaway_torch import environment

ARGUMENTS = ["-B", "run.py"]


class Became(Exception):
    """Another program took the place of this one."""


@pytest.fixture
def path(tmp_path, monkeypatch):
    """Makes the PATH of Pythons: of this one where None stands, else of a program that ends so when it is asked for torch."""
    def execv(program, arguments):
        raise Became(program, *arguments)

    def make(*answers):
        folders = []
        for i, answer in enumerate(answers):
            folder = tmp_path / str(i)
            folder.mkdir()
            folders.append(str(folder))
            if answer is None:
                (folder / "python3").symlink_to(sys.executable)
            else:
                (folder / "python3").write_text(f"#!/bin/sh\n{answer}\n")
                (folder / "python3").chmod(0o755)
        monkeypatch.setenv("PATH", os.pathsep.join(folders))
        return [f"{folder}/python3" for folder in folders]

    monkeypatch.setattr(os, "execv", execv)
    monkeypatch.setattr(sys, "base_prefix", sys.prefix)
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    return make


def test_the_first_python_of_the_path_gives_way_to_one_with_torch(path):
    pythons = path(None, "exit 1", "no-such-command", "exit 0", "exit 0")
    with pytest.raises(Became) as became:
        environment.become_one_with_torch(ARGUMENTS)
    assert became.value.args == (pythons[3], pythons[3], *ARGUMENTS)


@pytest.mark.parametrize("answers", [(None,), (None, "exit 1"), ("exit 0", None), (None, None)])
def test_where_no_other_has_torch_or_another_one_is_first_it_stays(path, answers):
    path(*answers)
    environment.become_one_with_torch(ARGUMENTS)


def test_one_of_an_environment_stays(path, monkeypatch):
    path(None, "exit 0")
    monkeypatch.setattr(sys, "base_prefix", "/usr")
    monkeypatch.setattr(sys, "prefix", "/environment")
    environment.become_one_with_torch(ARGUMENTS)


def test_one_with_torch_stays(path, monkeypatch):
    path(None, "exit 0")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: name)
    environment.become_one_with_torch(ARGUMENTS)
