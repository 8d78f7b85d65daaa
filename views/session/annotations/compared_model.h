// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/diff.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace cutaway::views {

/// Two compared models, with everything that a run with statistics needs to compare their values.
struct ComparedModel {
    std::shared_ptr<const ir::Model> first, second; ///< the two models of the difference
    std::shared_ptr<const analysis::Analysis> ofFirst, ofSecond;
    std::shared_ptr<const ir::Model> opened;   ///< the second model as it was read
    std::optional<std::filesystem::path> path; ///< a file with the content of `second`; nothing if there is none
    std::shared_ptr<const diff::Difference> difference;
};

} // namespace cutaway::views
