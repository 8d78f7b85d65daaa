// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// JSON text with one member or item per line. `records` are the objects in lists "nodes" that have names in their
/// "outputs"; `result` is the first of these names. indentedJson() has to get JSON that was parsed before; for anything
/// else the result is meaningless.
struct IndentedJson {
    struct Record {
        std::uint32_t first = 0, last = 0; ///< numbers of the lines, from 1
        std::string result;
    };
    std::string text;
    std::vector<Record> records;
};
IndentedJson indentedJson(std::string_view text);

/// Returns the page of the record of a torch.export file's main program. The lines of a node are those of the object
/// that names its results; a name that several values have belongs to no line. Errors: the archive cannot be read any
/// more; its record is too long.
Result<SourcePage> jsonRecord(const ir::Model &model, ir::FunctionId function);

} // namespace cutaway::print
