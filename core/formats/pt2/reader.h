// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/format.h"

namespace cutaway::formats::pt2 {

/// Whether the file is a torch.export archive of either layout, whole or with parts missing. Reads its directory.
bool sniff(const archive::Probe &file);

/// Reads every exported program of the file as a function; the main one is "forward". Errors: those of the archive; no
/// program; damaged JSON; a graph whose values do not fit together; Cancelled. Missing weights are diagnostics.
Result<ir::Model> read(const archive::Probe &file, const Task &task);

} // namespace cutaway::formats::pt2
