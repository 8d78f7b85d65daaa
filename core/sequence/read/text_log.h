// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/sequence.h"

namespace cutaway::sequence {

/// Adds the graphs in a text to the document: what TORCH_LOGS prints, with or without its prefixes, with the lines of
/// several ranks mixed, coloured, or pasted into Markdown; or graphs without a log. Returns whether the text contains
/// graphs, or lines of such a log. A text with only one graph gets its file's name as the address, since it is a model
/// file.
bool readTextLog(const File &file, Document &document, const Task &task);

} // namespace cutaway::sequence
