// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"

namespace cutaway::formats::fx {

/// Whether the file is a torch.fx.GraphModule that torch.save wrote.
bool sniff(const archive::Probe &file);

/// Reads the graph of the module's generated code, which is read as text and never run, with the module tree and its
/// weights. Calls become the ATen operators that they compute; a call of unknown meaning becomes a node that has only a
/// name, with a diagnostic. Errors: those of the archive and the pickle; code that torch.fx does not write, with line
/// and column.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::fx
