// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/written.h"

#include <filesystem>

namespace cutaway::formats::json {

/// Writes a model in Cutaway's own schema. Weights stay in their files, whose paths become relative to the new file's
/// folder. Errors: those of the disk.
Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task);

} // namespace cutaway::formats::json
