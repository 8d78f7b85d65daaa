// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace cutaway::views {

/// Two models that are compared: what a run with statistics needs to compare their values.
struct ComparedModel {
    std::shared_ptr<const ir::Model> first, second; ///< both models of the difference
    std::shared_ptr<const analysis::Analysis> ofFirst, ofSecond;
    std::shared_ptr<const ir::Model> opened;   ///< the second model as its file has it
    std::optional<std::filesystem::path> path; ///< a file with the same content as the second one
    std::shared_ptr<const diff::Difference> difference;
};

} // namespace cutaway::views
