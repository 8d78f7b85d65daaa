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

/// A model that lies at a URL: files here that are as long as those there, with some of their bytes.
struct FetchedParts {
    struct Range {
        std::uint64_t begin = 0, end = 0;
    };
    std::filesystem::path file; ///< the model's own
    std::string url;
    std::map<std::filesystem::path, std::vector<Range>> ranges; ///< sorted, apart from each other
};

/// Of {path: [(begin, end), …]}.
FetchedParts fetchedParts(const std::filesystem::path &file, std::string url, const nb::dict &ranges);

/// Opens it. Weights outside of the fetched ranges have no bytes, and say why. The files may be removed then. Errors:
/// of plugin::open().
Result<ir::Model> openParts(const FetchedParts &parts, const Task &task);

} // namespace cutaway::python
