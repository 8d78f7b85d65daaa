// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <string_view>

namespace cutaway::ops {

/// The computation of an operator, independent of its name and the form of its arguments in a dialect: "relu" for
/// aten::relu, aten::relu_ and onnx::Relu. The constants in namespace kind, in the families' headers, are the kinds
/// that code asks for and those that dialects call by different names. Case and underscores of a name do not count.
class OperatorKind {
public:
    constexpr OperatorKind() = default; ///< the kind of unknown operators
    explicit constexpr OperatorKind(std::string_view name) : m_name(name) { }

    constexpr std::string_view name() const { return m_name; }
    constexpr bool operator==(const OperatorKind &other) const
    {
        std::string_view mine = m_name;
        std::string_view its = other.m_name;
        for (;;) {
            const char a = nextLetter(mine);
            if (a != nextLetter(its))
                return false;
            if (a == 0)
                return true;
        }
    }

private:
    /// Takes the next letter off `rest` and returns it in lower case; 0 at the end.
    static constexpr char nextLetter(std::string_view &rest)
    {
        while (rest.starts_with('_'))
            rest.remove_prefix(1);
        if (rest.empty())
            return 0;
        const char letter = rest.front();
        rest.remove_prefix(1);
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
    }

    std::string_view m_name;
};

/// The kind in the operator's row; if the row has none, that of its plain name: "is_nan" and "IsNaN" are one kind.
OperatorKind kindOf(std::string_view dialect, std::string_view name);
inline OperatorKind kindOf(const ir::NodeRef &node) { return kindOf(node.dialect(), node.opName()); }

} // namespace cutaway::ops
