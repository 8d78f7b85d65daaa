// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"

#include <filesystem>

namespace cutaway::formats::json {

/// Weights stay in the files they are in, which are named from the new file's folder on. Errors: what the disk says.
Result<void> write(const ir::Model &model, const std::filesystem::path &path);

} // namespace cutaway::formats::json
