// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/package.h"
#include "core/formats/pt2/read/reading.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::formats::pt2 {

/// The tensors that a program can be bound to, by their names in the module: parameters, buffers and constants alike.
/// Their storages are in the model already; the signature sets their names and kinds.
struct Weights {
    std::unordered_map<std::string, ir::Tensor> tensors;
    std::unordered_map<std::string, std::string> objects; ///< the members of objects that are no tensors, by name
    std::vector<std::string> absent; ///< missing members that would list weights; reported if a weight is missing
};

/// Finds the bytes of a program's weights without reading them. One that is missing or does not fit gives a diagnostic.
Weights readWeights(Reading &reading, const Package &package, std::string_view program, ir::FileId file);

} // namespace cutaway::formats::pt2
