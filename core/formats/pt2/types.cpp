// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/types.h"

#include "core/base/checked.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>

namespace cutaway::formats::pt2 {

using symbolic::Expr;

namespace {

/// Whether no size is negative, and the product of the sizes that are numbers does not overflow.
bool isPossible(const ir::Shape &shape)
{
    std::optional<std::int64_t> product = 1;
    for (const ir::Dim &dim : shape)
        if (const auto *size = std::get_if<std::int64_t>(&dim); size && product)
            product = *size < 0 ? std::nullopt : checkedMultiply(*product, std::max<std::int64_t>(*size, 1));
    return product.has_value();
}

} // namespace

ValueTypes TypeReader::valuesOf(Json graph)
{
    using Kind = ir::NumberType::Kind;
    ValueTypes types;
    ir::Context &context = m_reading.context();
    graph["tensor_values"].forEachMember([&](std::string_view name, Json value) {
        const Json meta = value["meta"]; // before schema 3
        const ir::TensorType type = tensor(meta.exists() ? meta : value);
        if (type.shape && !isPossible(*type.shape))
            m_reading.notes.warning("pt2.shape",
                                    "the sizes recorded for " + sanitized(name)
                                        + " are those of no tensor: " + sanitized(ir::print(*type.shape)));
        types[name] = context.type(type);
    });
    const auto readNumbers = [&](std::string_view table, Kind kind) {
        graph[table].forEachMember(
            [&](std::string_view name, Json value) { types[name] = context.type(number(kind, value)); });
    };
    readNumbers("sym_int_values", Kind::Int);
    readNumbers("sym_float_values", Kind::Float);
    readNumbers("sym_bool_values", Kind::Bool);
    graph["custom_obj_values"].forEachMember([&](std::string_view name, Json value) {
        const ir::NameId className = m_reading.name(value["class_fqn"].text().value_or(""));
        types[name] = context.type(ir::ClassType{ir::ClassType::Kind::Object, className});
    });
    return types;
}

ir::TensorType TypeReader::tensor(Json meta)
{
    ir::TensorType type;
    const auto number = meta["dtype"].integer().value_or(0);
    type.dtype = ir::dtypeFromNumber(number, ir::Numbering::ExportedProgram);
    if (!type.dtype && number != 0)
        m_reading.notes.warning("pt2.dtype",
                                "element type number " + std::to_string(number) + " is none of a released schema");
    type.shape = shape(meta["sizes"]);
    type.strides = shape(meta["strides"]);
    type.device = device(meta["device"]);
    type.layout = ir::layoutFromNumber(meta["layout"].integer().value_or(0), ir::Numbering::ExportedProgram)
                      .value_or(ir::Layout::Strided);
    type.requiresGrad = meta["requires_grad"].boolean().value_or(false);
    return type;
}

std::optional<ir::Shape> TypeReader::shape(Json sizes)
{
    if (!sizes.isArray())
        return std::nullopt;
    ir::Shape dims;
    sizes.forEach([&](Json size) { dims.push_back(dim(size)); });
    return dims;
}

ir::Dim TypeReader::dim(Json symInt)
{
    if (const auto n = symInt["as_int"].integer())
        return *n;
    if (const auto expr = expression(symInt)) {
        if (expr->kind() == symbolic::Kind::Integer)
            return expr->integerValue();
        return *expr;
    }
    return ir::UnknownDim{};
}

std::optional<ir::Device> TypeReader::device(Json json) const
{
    const auto kind = json["type"].text();
    if (!kind)
        return std::nullopt;
    const auto index = json["index"].integer();
    return ir::Device{m_reading.name(*kind), index ? std::optional(static_cast<int>(*index)) : std::nullopt};
}

ir::NumberType TypeReader::number(ir::NumberType::Kind kind, Json recorded)
{
    if (const auto n = recorded["as_int"].integer())
        return {kind, Expr::integer(*n)};
    if (const auto x = recorded["as_float"].number())
        return {kind, Expr::floating(*x)};
    if (const auto b = recorded["as_bool"].boolean())
        return {kind, Expr::boolean(*b)};
    return {kind, expression(recorded)};
}

/// Reads {"as_expr": {"expr_str": …, "hint": …}}; before schema 3 {"as_symbol": …}.
std::optional<Expr> TypeReader::expression(Json recorded)
{
    const Json form = recorded["as_expr"];
    const auto text = form["expr_str"].text();
    const auto expr = parsed(text ? *text : recorded["as_symbol"].text().value_or(""));
    if (expr && expr->kind() == symbolic::Kind::Symbol)
        if (auto &hint = m_symbols[expr->name()]; !hint)
            hint = form["hint"].isObject() ? form["hint"]["as_int"].integer() : form["hint"].integer();
    return expr;
}

std::optional<Expr> TypeReader::parsed(std::string_view text)
{
    if (text.empty())
        return std::nullopt;
    const auto [entry, isNew] = m_expressions.try_emplace(std::string(text));
    if (!isNew)
        return entry->second;
    if (auto expr = symbolic::parse(text)) {
        for (const std::string &symbol : symbolic::symbolsOf(*expr))
            m_symbols.try_emplace(symbol);
        entry->second = std::move(*expr);
    } else {
        m_reading.notes.warning("pt2.expression",
                                "a size expression cannot be read: " + expr.error().text() + ": "
                                    + sanitized(text.substr(0, 80)));
    }
    return entry->second;
}

} // namespace cutaway::formats::pt2
