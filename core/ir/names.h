// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {

/// The file's name of a value or node; "%7" where the file has none.
std::string nameOf(const ir::ValueRef &value);
std::string nameOf(const ir::NodeRef &node);

/// "net.py:12", or nothing.
std::optional<std::string> sourceOf(const ir::NodeRef &node);

/// As in reports: "user_input", "buffer"; "user_output", "buffer_mutation"; "warning".
std::string_view name(ir::FunctionInput::Kind kind);
std::string_view name(ir::FunctionOutput::Kind kind);
std::string_view name(ir::Severity severity);
std::string_view name(ir::Tensor::Kind kind);

/// What kind of value a type is, in one word: "tensor", "int", "list", "any".
std::string_view kindOf(const ir::Type &type);

} // namespace cutaway::ir
