// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"

namespace cutaway::formats::torchscript {

/// Whether the file is a module that torch.jit.save wrote, or that was saved for the lite interpreter with its code.
bool sniff(const archive::Probe &file);
/// Reads the model. Errors: what is wrong with the archive, its code or its objects, and where; Cancelled.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::torchscript
