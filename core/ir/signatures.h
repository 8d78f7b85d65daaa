// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

/// The part of a function's signature that goes beyond names and types.
namespace cutaway::ir {

/// Whether an output is a value for the caller, not a token or the new state of an input, a buffer or a parameter.
inline bool isResult(const FunctionOutput &output)
{
    using Kind = FunctionOutput::Kind;
    return output.kind == Kind::User || output.kind == Kind::Loss || output.kind == Kind::GradientToParameter
        || output.kind == Kind::GradientToUserInput;
}

/// Returns the key in a model's metadata under which the members of an enum of its code are listed: "RED, GREEN".
inline std::string enumKey(std::string_view className) { return "enum " + std::string(className); }

} // namespace cutaway::ir
