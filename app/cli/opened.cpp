// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/opened.h"

#include "core/request/named_function.h"
#include "core/sequence/kernel_modules.h"
#include "core/trace/read/recognize.h"
#include "core/trace/recorded_model.h"

namespace cutaway::cli {

static Result<Opened> withFunction(const std::string &file, Result<ir::Model> opened, const std::string &functionName)
{
    CUTAWAY_TRY(ir::Model model, withSubject(file, std::move(opened)));
    CUTAWAY_TRY(const ir::FunctionId function, withSubject(file, request::findFunction(model, functionName)));
    return Opened{std::move(model), function};
}

Result<Opened> openModel(const std::string &file, const std::string &functionName)
{
    return withFunction(file, trace::open(file), functionName);
}

Result<Opened> openInKernels(const std::string &file, const std::string &functionName)
{
    return trace::recognizes(file) ? openModel(file, functionName)
                                   : withFunction(file, sequence::openInKernels(file), functionName);
}

} // namespace cutaway::cli
