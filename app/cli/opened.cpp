// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/opened.h"

#include "core/request/named_function.h"
#include "core/sequence/address.h"

namespace cutaway::cli {

Result<Opened> openModel(const std::string &file, const std::string &functionName)
{
    CUTAWAY_TRY(ir::Model model, withSubject(file, sequence::open(file)));
    CUTAWAY_TRY(const ir::FunctionId function, withSubject(file, request::findFunction(model, functionName)));
    return Opened{std::move(model), function};
}

} // namespace cutaway::cli
