// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/written.h"

#include <filesystem>

namespace cutaway::formats::pt2 {

/// Writes a model as a new version of the archive that it was read from, in that archive's layout: unchanged members
/// are copied, programs are written from the present graphs, new weights become members. A model that was read from
/// another format becomes an archive of torch 2.6, which later versions also load. Errors: the original cannot be read;
/// what the schema of torch.export cannot express, with the node; weights that cannot be read; errors of the disk.
Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task);

} // namespace cutaway::formats::pt2
