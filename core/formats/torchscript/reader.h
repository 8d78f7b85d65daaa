// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"

#include <span>

namespace cutaway::formats::torchscript {

/// Whether the file is a module that was saved by torch.jit.save, or for the lite interpreter with its code.
bool sniff(const MappedFile &file);
/// Errors: those of readArchive().
Result<ir::Model> read(File file, const Task &task);

/// Reads an archive that lies in memory; `file` becomes the model's file, which starts with `bytes`. Errors: those of
/// the archive, readObjects() and lowerCode(); there is no code of the model's class.
Result<ir::Model> readArchive(std::span<const std::byte> bytes, ir::DataFile file, const Task &task);

} // namespace cutaway::formats::torchscript
