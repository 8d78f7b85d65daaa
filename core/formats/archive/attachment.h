// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/zip.h"
#include "core/ir/model.h"

#include <string>

namespace cutaway::formats::archive {

/// A member that a model carries along: where its bytes are, if it is stored, and its text, if it is a short one.
ir::Attachment attachmentOf(const Zip &zip, const Member &member, ir::FileId file, std::string name);

} // namespace cutaway::formats::archive
