// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/symbolic/function.h"

#include <algorithm>
#include <array>

namespace cutaway::symbolic {

namespace {

struct Row {
    std::string_view name;
    Kind kind;
};

constexpr auto rows = std::to_array<Row>({
    {"Add", Kind::Add},
    {"Mul", Kind::Multiply},
    {"Pow", Kind::Power},
    {"PowByNatural", Kind::Power},
    {"FloatPow", Kind::Power},
    {"pow", Kind::Power},
    {"FloorDiv", Kind::FloorDivide},
    {"floordiv", Kind::FloorDivide},
    {"CleanDiv", Kind::FloorDivide},
    {"cleandiv", Kind::FloorDivide},
    {"ceildiv", Kind::CeilDivide},
    {"CeilDiv", Kind::CeilDivide},
    {"IntTrueDiv", Kind::TrueDivide},
    {"inttruediv", Kind::TrueDivide},
    {"FloatTrueDiv", Kind::TrueDivide},
    {"Mod", Kind::Modulo},
    {"mod", Kind::Modulo},
    {"PythonMod", Kind::Modulo},
    {"min", Kind::Minimum},
    {"Min", Kind::Minimum},
    {"max", Kind::Maximum},
    {"Max", Kind::Maximum},
    {"abs", Kind::Absolute},
    {"Abs", Kind::Absolute},
    {"tofloat", Kind::ToFloat},
    {"ToFloat", Kind::ToFloat},
    {"float", Kind::ToFloat},
    {"floor", Kind::Floor},
    {"FloorToInt", Kind::Floor},
    {"ceil", Kind::Ceiling},
    {"ceiling", Kind::Ceiling},
    {"CeilToInt", Kind::Ceiling},
    {"trunc", Kind::Truncate},
    {"TruncToInt", Kind::Truncate},
    {"roundtoint", Kind::Round},
    {"RoundToInt", Kind::Round},
    {"round", Kind::Round},
    {"Equality", Kind::Equal},
    {"Eq", Kind::Equal},
    {"Unequality", Kind::NotEqual},
    {"Ne", Kind::NotEqual},
    {"StrictLessThan", Kind::Less},
    {"Lt", Kind::Less},
    {"LessThan", Kind::LessEqual},
    {"Le", Kind::LessEqual},
    {"StrictGreaterThan", Kind::Greater},
    {"Gt", Kind::Greater},
    {"GreaterThan", Kind::GreaterEqual},
    {"Ge", Kind::GreaterEqual},
    {"And", Kind::And},
    {"Or", Kind::Or},
    {"Not", Kind::Not},
});

} // namespace

Arity arityOf(Kind kind)
{
    if (kind == Kind::Call)
        return {0};
    if (kind <= Kind::Symbol)
        return {0, 0};
    if (isRounding(kind) || kind == Kind::Absolute || kind == Kind::ToFloat || kind == Kind::Not)
        return {1, 1};
    if (isExtreme(kind) || isConnective(kind) || kind == Kind::Add || kind == Kind::Multiply)
        return {1};
    return {2, 2};
}

std::optional<Kind> kindOfFunction(std::string_view name)
{
    const auto row = std::ranges::find(rows, name, &Row::name);
    return row == rows.end() ? std::nullopt : std::optional(row->kind);
}

bool isKnownFunction(std::string_view name)
{
    static constexpr std::array<std::string_view, 14> constants{
        "Integer", "Float", "Rational", "Symbol",           "Dummy", "NegativeOne", "One",
        "Zero",    "Half",  "Infinity", "NegativeInfinity", "NaN",   "Identity",    "TruncToFloat"};
    return kindOfFunction(name) || std::ranges::contains(constants, name);
}

std::string_view functionName(Kind kind)
{
    const bool isFunction = kind == Kind::CeilDivide || (kind >= Kind::Minimum && kind <= Kind::Round);
    return isFunction ? std::ranges::find(rows, kind, &Row::kind)->name : std::string_view();
}

bool isIdentifier(std::string_view name)
{
    static constexpr std::array<std::string_view, 7> words{"and", "or", "not", "True", "False", "true", "false"};
    const auto isLetter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    return !name.empty() && isLetter(name[0]) && !std::ranges::contains(words, name)
        && std::ranges::all_of(name, [&](char c) { return isLetter(c) || (c >= '0' && c <= '9'); });
}

} // namespace cutaway::symbolic
