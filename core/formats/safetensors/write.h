// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"
#include "core/base/result.h"
#include "core/base/task.h"
#include "core/ir/model.h"

#include <functional>
#include <span>

namespace cutaway::formats::safetensors {

/// A tensor that is to be written.
struct Entry {
    std::string name; ///< the name in the file: "layer1.0.conv1.weight"
    ir::DType dtype = ir::DType::Float32;
    std::vector<std::int64_t> shape;
    /// Passes the bytes of all elements to its argument in pieces: little-endian, contiguous, row-major. It is called
    /// once, when the writer has reached their position in the file.
    std::function<Result<void>(const std::function<void(std::span<const std::byte>)> &)> visit;
};

/// Makes the entry of a tensor of a model under this name. The model must outlive the entry.
Entry entryOf(const ir::Model &model, ir::TensorId tensor, std::string name);

/// Whether the format has a name for the dtype.
bool canWrite(ir::DType dtype);

/// The file's metadata, which for PyTorch has to contain {"format", "pt"}.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// Writes a whole .safetensors file; the bytes are streamed. Tensors with wider elements come first, so that all are
/// aligned; those of one width are in the given order. Errors (Usage): a dtype that the format lacks; a name that
/// occurs twice, is "__metadata__" or not UTF-8; a tensor with more or fewer bytes than its shape needs; errors of
/// the entries; cancelled. The file's close() reports errors of the disk.
Result<void> write(OutputFile &file, std::span<const Entry> entries, const Metadata &metadata = {},
                   const Task &task = {});

} // namespace cutaway::formats::safetensors
