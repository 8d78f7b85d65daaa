// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json_writer.h"
#include "core/ir/dim.h"

namespace cutaway::print {

/// Writes a number, a formula as text, or null for an unknown size.
void writeDim(JsonWriter &out, const ir::Dim &dim);

} // namespace cutaway::print
