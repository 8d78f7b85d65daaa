// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// Returns the page of a Python file, see sourcePage(). Errors: Usage if it is below none of `roots`; Unreadable if it
/// cannot be read, or is too long.
Result<SourcePage> pythonFile(const ir::Model &model, ir::FunctionId function, const std::string &file,
                              std::span<const std::filesystem::path> roots);

} // namespace cutaway::print
