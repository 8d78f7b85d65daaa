# SPDX-FileCopyrightText: The Cutaway authors
# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of other modules' classes for as long as a recording lasts; those that are not loaded yet are changed when they are."""
from __future__ import annotations

import importlib.abc
import importlib.machinery
import sys
from types import ModuleType
from typing import Any, Callable, Optional

Hook = Callable[[ModuleType], None]
MISSING = object()


class Patches(importlib.abc.MetaPathFinder):
    """What was put in place of what. It finds no modules itself: it watches others find those that are awaited."""

    def __init__(self) -> None:
        self._replaced: list[tuple[Any, str, Any, Any]] = []
        self._awaited: dict[str, Hook] = {}

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Puts a value into a class or module until undo()."""
        self._replaced.append((owner, name, vars(owner).get(name, MISSING), value))
        setattr(owner, name, value)

    def when_imported(self, hooks: dict[str, Hook]) -> None:
        """Calls each hook with its module, at once or when that is imported."""
        for name, hook in hooks.items():
            if name in sys.modules:
                hook(sys.modules[name])
            else:
                self._awaited[name] = hook
        if self._awaited:
            sys.meta_path.insert(0, self)

    def undo(self) -> None:
        """Restores everything. What somebody else has put in place of ours since then stays."""
        self._awaited.clear()
        if self in sys.meta_path:
            sys.meta_path.remove(self)
        while self._replaced:
            owner, name, before, ours = self._replaced.pop()
            if vars(owner).get(name) is not ours:
                continue
            if before is MISSING:
                delattr(owner, name)
            else:
                setattr(owner, name, before)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Optional[importlib.machinery.ModuleSpec]:
        hook = self._awaited.pop(name, None)
        if hook is None:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, path, target) if finder is not self else None
            if spec is not None:
                if spec.loader is not None:
                    self._call_after(spec.loader, hook)
                return spec
        return None

    def _call_after(self, loader: Any, hook: Hook) -> None:
        execute = loader.exec_module

        def execute_and_tell(module: ModuleType) -> None:
            del loader.exec_module  # the loader stays with its module, and is itself again
            execute(module)
            if self in sys.meta_path:
                hook(module)

        loader.exec_module = execute_and_tell
