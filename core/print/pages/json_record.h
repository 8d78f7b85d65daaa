// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// JSON with a member or item a line, and the lines of the objects that name a result: those in a list "nodes" whose
/// "outputs" have the name. `text` is JSON that was read before; of anything else it makes some text.
struct IndentedJson {
    struct Record {
        std::uint32_t first = 0, last = 0; ///< lines, from 1
        std::string result;
    };
    std::string text;
    std::vector<Record> records;
};
IndentedJson indentedJson(std::string_view text);

/// The record of a torch.export file's main program. A node's lines are those of the object that names its results; a
/// name that several values have is of no line. Errors: the archive cannot be read any more; its record is too long.
Result<SourcePage> jsonRecord(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
