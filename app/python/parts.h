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

/// A model at a URL as local files. They are as long as the original ones, but only have the fetched bytes.
struct FetchedParts {
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    std::filesystem::path file; ///< the file of the model itself
    std::string url;
    std::map<std::filesystem::path, std::vector<Range>> ranges; ///< by file: sorted, and not touching each other
};

/// Takes the fetched ranges from a dict, {path: [(begin, end), …]}.
FetchedParts fetchedParts(const std::filesystem::path &file, std::string url, const nb::dict &ranges);

/// Opens the model. Weights outside of the fetched ranges have the reason in place of their bytes. The local files may
/// be removed afterwards. Errors: those of plugin::open().
Result<ir::Model> openParts(const FetchedParts &parts, const Task &task);

} // namespace cutaway::python
