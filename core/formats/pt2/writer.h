// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/written.h"

#include <filesystem>

namespace cutaway::formats::pt2 {

/// Writes a model over the archive it was read from, in that archive's layout: members that have not changed are copied
/// as they are, programs are written from the graphs as they are now, new weights become members. A model that was read
/// from another format becomes an archive of torch 2.6, which later versions load, too. Errors: the original cannot be
/// read; what the schema of torch.export cannot express, with the node; weights that cannot be read; errors of the
/// disk.
Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task);

} // namespace cutaway::formats::pt2
