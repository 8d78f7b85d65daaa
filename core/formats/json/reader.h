// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::json {

/// Whether the file begins like a model in Cutaway's own schema (docs/ir-json.md).
bool sniff(const archive::Probe &file);

/// Reads the model; paths of weight files are relative to the file's folder. Errors: those of ir::parseJson(), and
/// the first error of ir::verify().
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::json
