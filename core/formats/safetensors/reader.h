// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

namespace cutaway::formats::safetensors {

/// Whether the file is a .safetensors file, or the index of several.
bool sniff(const archive::Probe &file);

/// Reads the tensors of a .safetensors file, or of the files that a .safetensors.index.json names in its folder. Each
/// tensor is a byte range of its file; the data are not touched. A tensor of a dtype that Cutaway does not have, and
/// a missing file or tensor of an index, give diagnostics. Errors: those of readBytes() and readIndex(); Cancelled.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

/// Reads a .safetensors file from bytes in memory; `file` is the file that contains them. Errors: those of
/// readHeader(), and a tensor with more or fewer bytes than its shape needs.
Result<ir::Model> readBytes(std::span<const std::byte> bytes, ir::DataFile file);

} // namespace cutaway::formats::safetensors
