// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Whether the file is a log that torch wrote under TORCH_TRACE: lines with a JSON object behind a prefix, each perhaps
/// with a payload on lines that a tab begins.
bool isStructuredLog(const MappedFile &file);

/// Adds the compilations in such a log to the document. Damaged records become diagnostics.
void readStructuredLog(const File &file, Document &document, const Task &task);

} // namespace cutaway::sequence
