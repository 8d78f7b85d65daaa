// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/task.h"
#include "core/formats/format.h"

#include <cstddef>
#include <map>
#include <span>

namespace cutaway::formats::onnx {

/// ONNX has no magic number: true if the file starts as a ModelProto does and has a graph, or is called *.onnx.
bool sniff(const MappedFile &file);

Result<ir::Model> read(File file, const Task &task);

/// The same on bytes in memory. `origin` is entered as the file that weights lie in; external data is looked for in
/// its folder; `replacements` are read in place of others there.
Result<ir::Model> readBytes(std::span<const std::byte> bytes, ir::DataFile origin, const Task &task,
                            const std::map<std::filesystem::path, std::filesystem::path> &replacements = {});

} // namespace cutaway::formats::onnx
