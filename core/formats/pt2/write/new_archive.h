// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/output_file.h"

namespace cutaway::formats::pt2 {

/// Writes an archive whose program has no nodes, as the original of a model that has none. It has schema 8.2 and
/// torch 2.6's layout, which later versions of torch also load.
void writeNewArchive(OutputFile &file);

} // namespace cutaway::formats::pt2
