// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"

namespace cutaway::formats::pt2 {

/// Writes an archive with a program without nodes, over which another model can be written. The archive is of schema
/// 8.2 and in torch 2.6's layout, which later versions of torch load, too.
void writeNewArchive(OutputFile &file);

} // namespace cutaway::formats::pt2
