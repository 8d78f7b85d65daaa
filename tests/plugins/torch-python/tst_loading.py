# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
import threading
import types

import pytest

import conversation  # noqa: F401, finds the plugin
from cutaway_torch import environment, models, plugin
from cutaway_torch.wire import Failure, Request


@pytest.fixture
def packages(tmp_path, monkeypatch):
    (tmp_path / "its_operators.py").write_text("")
    (tmp_path / "broken_operators.py").write_text("raise OSError('first\\nlibmine.so is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    return ["no_such_package.operators", "its_operators", "broken_operators"]


def test_packages_that_are_there_are_imported_and_broken_ones_are_told(packages):
    assert environment.import_operators(packages) == ["broken_operators cannot be imported: libmine.so is missing"]


@pytest.mark.parametrize("outcomes, calls, told", [
    ([None], 1, None), ([models.OperatorMissing("no op"), None], 2, None), ([Failure("bad file")], 1, "bad file"),
    ([models.OperatorMissing("no op")] * 2, 2, "no op; broken_operators cannot be imported: libmine.so is missing")])
def test_packages_with_operators_are_imported_where_a_model_needs_them(packages, monkeypatch, outcomes, calls, told):
    made = []

    def load(*_):
        made.append(outcomes[len(made)])
        if made[-1] is not None:
            raise made[-1]
        return types.SimpleNamespace(backend="it", inputs=[], outputs=[])

    monkeypatch.setattr(models, "load", load)
    monkeypatch.setattr(environment, "torch", lambda: None)
    monkeypatch.setattr(environment, "version", lambda: "2.7")
    mine = plugin.Plugin()
    ask = lambda method, **params: mine.handlers[method](Request(1, method, params, b"", threading.Event()))
    ask("initialize", protocol=1, settings={"import": packages})
    if told is None:
        assert ask("load", path="net.pt2", form="pt2")[0]["model"] == 1
    else:
        with pytest.raises(Failure) as raised:
            ask("load", path="net.pt2", form="pt2")
        assert str(raised.value) == told
    assert len(made) == calls
