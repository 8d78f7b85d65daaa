// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/archive/zip.h"
#include "core/ir/model.h"

#include <string>

namespace cutaway::formats::archive {

/// Makes an attachment of a member: the position of its bytes if it is stored, and its text if that is short.
ir::Attachment attachmentOf(const Zip &zip, const Member &member, ir::FileId file, std::string name);

} // namespace cutaway::formats::archive
