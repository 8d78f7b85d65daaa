// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/package.h"
#include "core/formats/pt2/read/reading.h"

#include <string>
#include <unordered_map>
#include <vector>

namespace cutaway::formats::pt2 {

/// The tensors a program can be bound to, by their names in the module: parameters, buffers and constants alike.
/// Their storages are in the model already; name and kind are for the signature to say.
struct Weights {
    std::unordered_map<std::string, ir::Tensor> tensors;
    std::unordered_map<std::string, std::string> objects; ///< name → member, for objects that are no tensors
    std::vector<std::string> absent; ///< members that would list more; they matter if one is missed
};

/// Finds the bytes of every weight of a program without reading one. A weight that is missing or does not fit is a
/// diagnostic.
Weights readWeights(Reading &reading, const Package &package, std::string_view program, ir::FileId file);

} // namespace cutaway::formats::pt2
