// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::json {

/// A model in Cutaway's own schema (docs/ir-json.md): true if the file begins with it.
bool sniff(const archive::Probe &file);

/// The model as it was written; files that weights lie in are looked for from the file's folder on. Errors: as
/// ir::parseJson(), and what ir::verify() says first.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::json
