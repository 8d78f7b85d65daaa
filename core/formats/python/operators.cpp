// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/operators.h"

#include <algorithm>
#include <span>
#include <utility>

namespace cutaway::formats::python {

namespace {

using Row = std::pair<std::string_view, std::string_view>;

constexpr Row binaryRows[] = {
    {"+", "add"},     {"-", "sub"},    {"*", "mul"},         {"/", "truediv"}, {"//", "floordiv"}, {"%", "mod"},
    {"**", "pow"},    {"@", "matmul"}, {"&", "and_"},        {"|", "or_"},     {"^", "xor"},       {"<<", "lshift"},
    {">>", "rshift"}, {"==", "eq"},    {"!=", "ne"},         {"<", "lt"},      {"<=", "le"},       {">", "gt"},
    {">=", "ge"},     {"is", "is_"},   {"is not", "is_not"},
};

constexpr Row unaryRows[] = {{"-", "neg"}, {"+", "pos"}, {"~", "invert"}, {"not", "not_"}};

} // namespace

std::string_view operatorFunction(std::string_view op, bool isUnary)
{
    const std::span<const Row> rows = isUnary ? std::span<const Row>(unaryRows) : binaryRows;
    const auto row = std::ranges::find(rows, op, &Row::first);
    return row == rows.end() ? op : row->second;
}

std::string inPlaceFunction(std::string_view op)
{
    std::string_view function = operatorFunction(op, false);
    if (function.ends_with('_')) // "and_" ends so because `and` is a keyword
        function.remove_suffix(1);
    return "i" + std::string(function);
}

} // namespace cutaway::formats::python
