// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::survey {

/// A file or folder that cannot be looked at.
struct LeftOut {
    std::filesystem::path path;
    std::string why; ///< "Permission denied"
};

/// The models that were found, and what was left out.
struct ModelFiles {
    std::vector<std::filesystem::path> models; ///< absolute, sorted, each once
    std::vector<LeftOut> leftOut;
    std::size_t others = 0; ///< files in the folders whose names end as no model's do
};

/// Whether a model lies elsewhere: "https://host/net.onnx". Such names are no files; the Python module reads them.
bool isUrl(std::string_view path);

/// The files that are named, those that fit the named patterns ("zoo/*.onnx"), and those in the named folders and the
/// folders in them, whose names end as models' do. A folder is looked at once, however many links lead to it.
ModelFiles findModelFiles(const std::vector<std::string> &named, const Task &task = {});

} // namespace cutaway::survey
