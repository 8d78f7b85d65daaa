// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string_view>

namespace cutaway::ops {

/// What an operator computes, whatever a dialect calls it and however its arguments are written: "relu" for aten::relu,
/// aten::relu_ and onnx::Relu. Constants of namespace kind, in the headers of
/// the families beside their rows, are those that code asks for and those that dialects call by different names.
class OperatorKind {
public:
    constexpr OperatorKind() = default; ///< of operators that nobody knows
    explicit constexpr OperatorKind(std::string_view name) : m_name(name) { }

    constexpr std::string_view name() const { return m_name; }
    bool operator==(const OperatorKind &) const = default;

private:
    std::string_view m_name;
};

/// What the operator's row says; if that says nothing, its name there in lower case and without underscores.
OperatorKind kindOf(std::string_view dialect, std::string_view name);
inline OperatorKind kindOf(const ir::NodeRef &node) { return kindOf(node.dialect(), node.opName()); }

/// The name that torch gave first to an operator of several: "abs" of aten::absolute, which takes the same arguments.
std::string_view plainNameOf(std::string_view dialect, std::string_view name);

} // namespace cutaway::ops
