// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::survey {

/// A file or folder that cannot be read.
struct LeftOut {
    std::filesystem::path path;
    std::string why; ///< "Permission denied"
};

/// The models that were found, and the files and folders that were left out.
struct ModelFiles {
    std::vector<std::filesystem::path> models; ///< absolute paths, sorted, each once
    std::vector<LeftOut> leftOut;
    std::size_t others = 0; ///< number of files in the folders whose names do not end as a model's does
};

/// Whether a path is the address of a model elsewhere: "https://host/net.onnx". The Python module reads these.
bool isUrl(std::string_view path);

/// Returns the files that are named, those that match the named patterns ("zoo/*.onnx"), and those in the named folders
/// and their subfolders whose names end as a model's does. A folder is visited once, however many links lead to it.
ModelFiles findModelFiles(const std::vector<std::string> &named, const Task &task = {});

} // namespace cutaway::survey
