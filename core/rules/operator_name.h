// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/row_names.h"

#include <cassert>

namespace cutaway::rules {

enum class Dialect { Aten, Onnx };

/// The name of an operator that a rule makes: "softmax.int" of aten, "Softmax" of ONNX. A literal that no row has does
/// not compile. It may be the argument of a template.
template <Dialect dialect>
struct OperatorName {
    // NOLINTBEGIN(google-explicit-constructor): operators are written as their names
    template <std::size_t size>
    consteval OperatorName(const char (&name)[size])
    {
        take(name);
        if (!isRow())
            throw "no row of core/ops has this name; after adding one, build write_operator_names";
    }
    constexpr operator std::string_view() const { return std::string_view(text).substr(prefix.size()); }
    // NOLINTEND(google-explicit-constructor)

    constexpr bool operator==(std::string_view name) const { return std::string_view(*this) == name; }

    /// Returns a name that is computed at run time. It is a bug if no row has the name.
    static OperatorName computed(std::string_view name)
    {
        OperatorName made;
        made.take(name);
        assert(made.isRow());
        return made;
    }

    char text[64] = {}; ///< the name with its dialect

private:
    static constexpr std::string_view prefix = dialect == Dialect::Aten ? "aten::" : "onnx::";

    OperatorName() = default;
    constexpr void take(std::string_view name)
    {
        assert(prefix.size() + name.size() < sizeof text);
        std::ranges::copy(name, std::ranges::copy(prefix, text).out);
    }
    constexpr bool isRow() const
    {
        const std::string_view whole = text;
        return std::ranges::binary_search(ops::rowNames, whole.substr(0, whole.find('.')));
    }
};

using AtenName = OperatorName<Dialect::Aten>;
using OnnxName = OperatorName<Dialect::Onnx>;

} // namespace cutaway::rules
