// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/model.h"

namespace cutaway::formats::torchscript {

/// Returns the contents of the archive besides its objects: the source files with their text, extra files, the
/// example inputs of a traced module, bytecode, and unknown members.
std::vector<ir::Attachment> attachmentsOf(const archive::Zip &zip, const Code &code, ir::FileId file);

} // namespace cutaway::formats::torchscript
