// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/python/torch_arguments.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numbers>

namespace cutaway::formats::python {

using ops::SchemaType;

namespace {

const SchemaType &withoutOption(const SchemaType &type)
{
    return type.kind == SchemaType::Kind::Optional ? type.elements[0] : type;
}

/// Python's other names of dtypes.
constexpr std::array<std::pair<std::string_view, ir::DType>, 9> dtypeSynonyms{{
    {"float", ir::DType::Float32},
    {"double", ir::DType::Float64},
    {"half", ir::DType::Float16},
    {"long", ir::DType::Int64},
    {"int", ir::DType::Int32},
    {"short", ir::DType::Int16},
    {"cfloat", ir::DType::Complex64},
    {"cdouble", ir::DType::Complex128},
    {"chalf", ir::DType::Complex32},
}};

constexpr std::array<std::pair<std::string_view, double>, 6> numberNames{{
    {"math.inf", std::numeric_limits<double>::infinity()},
    {"math.nan", std::numeric_limits<double>::quiet_NaN()},
    {"math.pi", std::numbers::pi},
    {"math.e", std::numbers::e},
    {"torch.inf", std::numeric_limits<double>::infinity()},
    {"torch.nan", std::numeric_limits<double>::quiet_NaN()},
}};

/// Names that Python's functions of torch accept for arguments, with the names that the schemas have for them.
constexpr std::array<std::pair<std::string_view, std::string_view>, 5> keywordSynonyms{
    {{"input", "self"}, {"axis", "dim"}, {"keepdims", "keepdim"}, {"x", "self"}, {"x2", "other"}}};

} // namespace

std::string schemaKeyword(std::span<const ops::Schema> candidates, std::string_view keyword)
{
    const auto has = [&](std::string_view name) {
        return std::ranges::any_of(candidates, [&](const ops::Schema &schema) {
            return std::ranges::contains(schema.arguments, name, &ops::SchemaArgument::name);
        });
    };
    if (has(keyword))
        return std::string(keyword);
    for (const auto &[from, to] : keywordSynonyms)
        if (keyword == from && has(to))
            return std::string(to);
    return std::string(keyword);
}

ir::Operand fitted(ir::Operand operand, const SchemaType &declared)
{
    const SchemaType &type = withoutOption(declared);
    if (type.kind != SchemaType::Kind::List)
        return operand;
    if (auto *list = std::get_if<ir::List>(&operand.v)) {
        list->kind = ir::List::Kind::List;
        return operand;
    }
    if (type.listSize && (operand.as<std::int64_t>() || operand.as<double>()))
        return ir::List{std::vector<ir::Operand>(static_cast<std::size_t>(*type.listSize), operand),
                        ir::List::Kind::List};
    return operand;
}

std::optional<ir::Operand> constantNamed(std::string_view name)
{
    const auto *const number = std::ranges::find(numberNames, name, &std::pair<std::string_view, double>::first);
    if (number != numberNames.end())
        return number->second;
    if (!name.starts_with("torch.") || name.find('.', 6) != name.npos)
        return std::nullopt;
    name.remove_prefix(6);
    const auto *const synonym = std::ranges::find(dtypeSynonyms, name, &std::pair<std::string_view, ir::DType>::first);
    if (synonym != dtypeSynonyms.end())
        return synonym->second;
    if (const auto dtype = ir::dtypeFromName(name))
        return *dtype;
    if (const auto layout = ir::layoutFromName(name))
        return *layout;
    if (const auto format = ir::memoryFormatFromName(name))
        return *format;
    return std::nullopt;
}

} // namespace cutaway::formats::python
