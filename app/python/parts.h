// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/ir/model.h"

#include <filesystem>
#include <map>
#include <nanobind/nanobind.h>

namespace cutaway::python {

namespace nb = nanobind;

/// A model that lies at a URL: local files as long as those there, with some of their bytes.
struct FetchedParts {
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    std::filesystem::path file; ///< the model's own
    std::string url;
    std::map<std::filesystem::path, std::vector<Range>> ranges; ///< sorted, apart from each other
};

/// Reads `ranges`, {path: [(begin, end), …]}.
FetchedParts fetchedParts(const std::filesystem::path &file, std::string url, const nb::dict &ranges);

/// Opens the model. Weights outside of the fetched ranges have no bytes, and say why. The local files may be removed
/// afterwards. Errors: those of plugin::open().
Result<ir::Model> openParts(const FetchedParts &parts, const Task &task);

} // namespace cutaway::python
