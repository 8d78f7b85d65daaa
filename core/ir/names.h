// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/ir/node_ref.h"

#include <optional>
#include <string>
#include <string_view>

namespace cutaway::ir {

/// Returns the name of a value or node in the file; "%7" if it has none.
std::string nameOf(const ir::ValueRef &value);
std::string nameOf(const ir::NodeRef &node);

/// Returns the source position, "net.py:12"; nullopt if it is unknown.
std::optional<std::string> sourceOf(const ir::NodeRef &node);

/// Returns the name that reports use: "user_input", "buffer"; "user_output", "buffer_mutation"; "warning".
std::string_view name(ir::FunctionInput::Kind kind);
std::string_view name(ir::FunctionOutput::Kind kind);
std::string_view name(ir::Severity severity);
std::string_view name(ir::Tensor::Kind kind);

/// Returns the kind of a type in one word: "tensor", "int", "list", "any".
std::string_view kindOf(const ir::Type &type);

} // namespace cutaway::ir
