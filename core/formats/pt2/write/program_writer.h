// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/write/original.h"
#include "core/ir/model.h"

#include <string>

namespace cutaway::formats::pt2 {

/// Returns the JSON of an exported program: the original's, with the present graph and signature of the function.
/// Throws Unusable for what the schema cannot express, with the node.
std::string programJson(const ir::Model &model, const ir::Function &function, const Original &original);

} // namespace cutaway::formats::pt2
