// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/written.h"

#include <filesystem>

namespace cutaway::formats::onnx {

/// Writes a model of the ONNX dialect. Weights are copied from their files. Weights in external files stay there if the
/// new file is in the same folder; otherwise they are copied into PATH.data. If the new file would be larger than 2 GB,
/// its weights go there, too, except small ones. Errors: what ONNX, or this version of the operator set, cannot
/// express, with the node; weights that cannot be read; errors of the disk.
Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task);

} // namespace cutaway::formats::onnx
