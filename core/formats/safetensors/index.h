// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/probe.h"

#include <string>
#include <utility>
#include <vector>

namespace cutaway::formats::safetensors {

/// The contents of a .safetensors.index.json, which lists the tensors of a model in several files.
struct Index {
    std::vector<std::string> files;                           ///< names in its folder, each once
    std::vector<std::pair<std::string, std::size_t>> tensors; ///< names, and the number of their file
};

/// Whether the file is such an index, by its name and text.
bool looksLikeIndex(const archive::Probe &file);

/// Errors: no such JSON; a file that lies outside of the folder.
Result<Index> readIndex(const archive::Probe &file);

} // namespace cutaway::formats::safetensors
