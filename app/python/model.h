// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/python/raised.h"
#include "app/python/shared_model.h"

#include <filesystem>

namespace cutaway::python {

/// Declares Model, Symbol and open().
void bindModel(nb::module_ &module);

/// A Model of Python.
nb::object modelObject(SharedModel model);

/// Whether an object is a Model.
bool isModel(const nb::handle &object);
/// The model of the file, or what the Model holds. Raises TypeError for anything else.
SharedModel openedOrHeld(const nb::handle &modelOrPath);

} // namespace cutaway::python
