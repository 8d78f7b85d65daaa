// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/written.h"

#include <filesystem>

namespace cutaway::formats::onnx {

/// Writes a model of the ONNX dialect. Weights are copied from their files; those in external files stay there if the
/// new file lies beside them, else they are copied into PATH.data, as all are in a model of more than 2 GB. Errors:
/// what cannot be expressed in ONNX, or not in the version of the operator set, with the node; weights that cannot be
/// read; errors of the disk.
Result<Written> write(const ir::Model &model, const std::filesystem::path &path, const Task &task);

} // namespace cutaway::formats::onnx
