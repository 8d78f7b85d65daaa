// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/run/values/activations.h"

namespace cutaway::run {

/// Reads the statistics in the document that `run --statistics --json` writes (schema "cutaway.run/1"), for the values
/// that the function has, by their names and nodes. The outcome has no outputs. Errors (Unreadable): not JSON, another
/// schema, or what was found and what was expected, with the location.
Result<Activations> parseActivations(std::string_view json, const ir::Function &function);

} // namespace cutaway::run
