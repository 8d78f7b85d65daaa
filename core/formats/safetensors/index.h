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
    std::vector<std::string> files; ///< the names of files in the index file's folder, each once
    std::vector<std::pair<std::string, std::size_t>> tensors; ///< the names of tensors, each with the index of its file
};

/// Whether the file is a .safetensors.index.json, by its name and text.
bool looksLikeIndex(const archive::Probe &file);

/// Reads the index. Errors: the file is not JSON of the expected form; it refers to a file outside of its folder.
Result<Index> readIndex(const archive::Probe &file);

} // namespace cutaway::formats::safetensors
