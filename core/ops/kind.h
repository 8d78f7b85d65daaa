// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string_view>

namespace cutaway::ops {

/// What an operator computes, whatever a dialect calls it and however its arguments are written: "relu" for aten::relu,
/// aten::relu_ and onnx::Relu. The constants in namespace kind, in the families' headers, are the kinds that code asks
/// for and those that dialects call by different names.
class OperatorKind {
public:
    constexpr OperatorKind() = default; ///< of unknown operators
    explicit constexpr OperatorKind(std::string_view name) : m_name(name) { }

    constexpr std::string_view name() const { return m_name; }
    bool operator==(const OperatorKind &) const = default;

private:
    std::string_view m_name;
};

/// What the operator's row says; if that says nothing, its plain name there in lower case and without underscores.
OperatorKind kindOf(std::string_view dialect, std::string_view name);
inline OperatorKind kindOf(const ir::NodeRef &node) { return kindOf(node.dialect(), node.opName()); }

} // namespace cutaway::ops
