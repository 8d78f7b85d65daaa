// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// Returns the page of a code file in a TorchScript archive, an attachment of the model. A line belongs to the nodes of
/// the same Python line, which the archive records for each piece of code; without such a record, to the nodes whose
/// source is the code itself. Errors: Usage where there is no such attachment.
Result<SourcePage> archivedCode(const ir::Model &model, ir::FunctionId function, const std::string &file);

} // namespace cutaway::print
