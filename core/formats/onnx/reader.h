// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

#include <cstddef>
#include <map>
#include <span>

namespace cutaway::formats::onnx {

/// Whether the file may be ONNX, which has no magic number: it begins like a ModelProto, and has a graph or is *.onnx.
bool sniff(const archive::Probe &file);

/// Reads a model from a file. Errors: those of readBytes().
Result<ir::Model> read(const archive::Probe &file, const Task &task);

/// Reads a model from bytes in memory. `origin` is entered as the file that holds weights; external data is looked for
/// in its folder, and `replacements` are read in place of files there. Errors: damaged protobuf, or more bytes than it
/// allows; no graph, or no operator set; a cycle; a value that no node makes, or that two make; a dtype that ONNX does
/// not have; nesting beyond the limits; Cancelled.
Result<ir::Model> readBytes(std::span<const std::byte> bytes, ir::DataFile origin, const Task &task,
                            const std::map<std::filesystem::path, std::filesystem::path> &replacements = {});

} // namespace cutaway::formats::onnx
