// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Whether the file is a log that torch wrote under TORCH_TRACE: lines with a JSON object after a prefix, each perhaps
/// followed by a payload on lines that begin with a tab.
bool isStructuredLog(const MappedFile &file);

/// Adds the compilations in a structured log to the document. Damaged records become diagnostics.
void readStructuredLog(const File &file, Document &document, const Task &task);

} // namespace cutaway::sequence
