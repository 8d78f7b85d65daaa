// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/pages/source_page.h"

namespace cutaway::print {

/// The page of a file of code in a TorchScript archive, an attachment of the model. Its lines are joined with nodes by
/// what both come from: the archive says which Python line each piece of code is of. Where it says nothing, the nodes
/// name the code itself. Errors: Usage where there is no such attachment.
Result<SourcePage> archivedCode(const ir::Model &model, ir::FunctionId function, const std::string &file);

} // namespace cutaway::print
