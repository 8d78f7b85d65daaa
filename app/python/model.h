// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"

#include <filesystem>

namespace cutaway::python {

/// Declares the classes Model and Symbol and the function open().
void bindModel(nb::module_ &module);

/// Returns a Model of Python.
nb::object modelObject(SharedModel model);

bool isModel(const nb::handle &object);
/// Opens the model at a path, or returns the one that a Model holds. Raises TypeError for anything else.
SharedModel openedOrHeld(const nb::handle &modelOrPath);

} // namespace cutaway::python
