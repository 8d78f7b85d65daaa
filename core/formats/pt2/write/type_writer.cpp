// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/write/type_writer.h"

#include "core/base/formatted.h"
#include "core/base/overloaded.h"
#include "core/ir/context.h"

#include <algorithm>
#include <cassert>

namespace cutaway::formats::pt2 {

using symbolic::Expr;
using symbolic::Kind;

namespace {

/// Returns the name of the function of sympy or torch that makes an expression of this kind.
std::string_view sympyHead(Kind kind)
{
    static constexpr std::pair<Kind, std::string_view> heads[] = {
        {Kind::Add, "Add"},
        {Kind::Multiply, "Mul"},
        {Kind::Power, "Pow"},
        {Kind::FloorDivide, "FloorDiv"},
        {Kind::CeilDivide, "CeilDiv"},
        {Kind::TrueDivide, "IntTrueDiv"},
        {Kind::Modulo, "Mod"},
        {Kind::Minimum, "Min"},
        {Kind::Maximum, "Max"},
        {Kind::Absolute, "Abs"},
        {Kind::ToFloat, "ToFloat"},
        {Kind::Floor, "FloorToInt"},
        {Kind::Ceiling, "CeilToInt"},
        {Kind::Truncate, "TruncToInt"},
        {Kind::Round, "RoundToInt"},
        {Kind::Equal, "Equality"},
        {Kind::NotEqual, "Unequality"},
        {Kind::Less, "StrictLessThan"},
        {Kind::LessEqual, "LessThan"},
        {Kind::Greater, "StrictGreaterThan"},
        {Kind::GreaterEqual, "GreaterThan"},
        {Kind::And, "And"},
        {Kind::Or, "Or"},
        {Kind::Not, "Not"},
    };
    const auto *found = std::ranges::find(heads, kind, [](const auto &pair) { return pair.first; });
    assert(found != std::end(heads));
    return found->second;
}

std::string symExpr(const Expr &expr, const symbolic::Bindings &hints)
{
    const auto known = expr.kind() == Kind::Symbol ? hints.find(expr.name()) : hints.end();
    const std::string hint = known == hints.end() ? "null" : formatted(R"({{"as_int":{}}})", known->second);
    return formatted(R"({{"as_expr":{{"expr_str":{},"hint":{}}}}})", quotedJson(sympyText(expr)), hint);
}

/// Returns a size as a SymInt; it must be known, because the schema has no unknown sizes.
std::string symInt(const ir::Dim &dim, const symbolic::Bindings &hints)
{
    if (const auto *size = std::get_if<std::int64_t>(&dim))
        return formatted(R"({{"as_int":{}}})", *size);
    const auto *expr = std::get_if<Expr>(&dim);
    assert(expr);
    return symExpr(*expr, hints);
}

std::string symInts(const ir::Shape &shape, const symbolic::Bindings &hints)
{
    std::string list = "[";
    for (const ir::Dim &dim : shape)
        list += (list.size() > 1 ? "," : "") + symInt(dim, hints);
    return list + "]";
}

ir::Dim times(const ir::Dim &a, const ir::Dim &b)
{
    const auto exprOf = [](const ir::Dim &dim) -> std::optional<Expr> {
        if (const auto *size = std::get_if<std::int64_t>(&dim))
            return Expr::integer(*size);
        const auto *expr = std::get_if<Expr>(&dim);
        return expr ? std::optional(*expr) : std::nullopt;
    };
    const auto left = exprOf(a), right = exprOf(b);
    if (!left || !right)
        return ir::UnknownDim{};
    const Expr product = Expr::make(Kind::Multiply, {*left, *right});
    return product.kind() == Kind::Integer ? ir::Dim(product.integerValue()) : ir::Dim(product);
}

ir::Shape contiguousStrides(const ir::Shape &shape)
{
    ir::Shape strides(shape.size());
    ir::Dim step = std::int64_t{1};
    for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = step;
        const auto *size = std::get_if<std::int64_t>(&shape[d]);
        step = times(step, size && *size == 0 ? ir::Dim(std::int64_t{1}) : shape[d]);
    }
    return strides;
}

TypeEntry numberEntry(const ir::NumberType &type, const symbolic::Bindings &hints)
{
    const bool isFloat = type.kind == ir::NumberType::Kind::Float, isBool = type.kind == ir::NumberType::Kind::Bool;
    const std::string_view table = isFloat ? "sym_float_values" : isBool ? "sym_bool_values" : "sym_int_values";
    if (type.value && type.value->kind() == Kind::Integer && !isFloat && !isBool)
        return {table, formatted(R"({{"as_int":{}}})", type.value->integerValue())};
    if (type.value && type.value->kind() == Kind::Boolean && isBool)
        return {table, formatted(R"({{"as_bool":{}}})", type.value->integerValue() != 0)};
    assert(type.value);
    return {table, symExpr(*type.value, hints)};
}

} // namespace

std::string quotedJson(std::string_view text)
{
    std::string json = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            (json += '\\') += c;
        else if (static_cast<unsigned char>(c) < 0x20)
            json += formatted("\\u{:04x}", static_cast<unsigned>(c));
        else
            json += c;
    }
    return json += '"';
}

void addMember(std::string &object, std::string_view key, std::string_view json)
{
    object += (object.size() > 1 ? "," : "") + quotedJson(key) + ":";
    object += json;
}

std::string sympyText(const Expr &expr)
{
    if (expr.kind() == Kind::Integer)
        return formatted("Integer({})", expr.integerValue());
    if (expr.kind() == Kind::Float)
        return formatted("Float('{}', precision=53)", expr.floatValue());
    if (expr.kind() == Kind::Boolean)
        return expr.integerValue() != 0 ? "true" : "false";
    if (expr.kind() == Kind::Symbol)
        return formatted("Symbol('{}', positive=True, integer=True)", expr.name());
    std::string operands;
    for (const Expr &operand : expr.operands())
        operands += (operands.empty() ? "" : ", ") + sympyText(operand);
    return formatted("{}({})", expr.kind() == Kind::Call ? expr.name() : sympyHead(expr.kind()), operands);
}

std::string deviceJson(const ir::Context &context, const ir::Device &device)
{
    return formatted(R"({{"type":{},"index":{}}})", quotedJson(context.text(device.kind)),
                     device.index ? std::to_string(*device.index) : "null");
}

bool isComplete(const ir::Type &type)
{
    const auto isKnown = [](const ir::Dim &dim) { return !std::holds_alternative<ir::UnknownDim>(dim); };
    if (const auto *tensor = std::get_if<ir::TensorType>(&type))
        return tensor->shape && tensor->dtype && std::ranges::all_of(*tensor->shape, isKnown)
            && (!tensor->strides || std::ranges::all_of(*tensor->strides, isKnown));
    const auto *number = std::get_if<ir::NumberType>(&type);
    return number ? number->value.has_value() : !std::holds_alternative<ir::UnknownType>(type);
}

std::string tensorMeta(const ir::Context &context, const ir::TensorType &type, const symbolic::Bindings &hints)
{
    const ir::Shape shape = type.shape.value_or(ir::Shape{});
    return formatted(
        R"({{"dtype":{},"sizes":{},"requires_grad":{},"device":{},"strides":{},"storage_offset":{{"as_int":0}},)"
        R"("layout":{}}})",
        type.dtype ? schemaNumber(*type.dtype) : 0, symInts(shape, hints), type.requiresGrad,
        type.device ? deviceJson(context, *type.device) : R"({"type":"cpu","index":null})",
        symInts(type.strides ? *type.strides : contiguousStrides(shape), hints), schemaNumber(type.layout));
}

std::optional<TypeEntry> typeEntry(const ir::Context &context, std::string_view name, ir::TypeId type,
                                   const symbolic::Bindings &hints)
{
    using Entry = std::optional<TypeEntry>;
    return std::visit(Overloaded{[&](const ir::TensorType &t) -> Entry {
                                     return TypeEntry{"tensor_values", tensorMeta(context, t, hints)};
                                 },
                                 [&](const ir::NumberType &t) -> Entry { return numberEntry(t, hints); },
                                 [&](const ir::ClassType &t) -> Entry {
                                     return TypeEntry{"custom_obj_values",
                                                      formatted(R"({{"name":{},"class_fqn":{}}})", quotedJson(name),
                                                                quotedJson(context.text(t.name)))};
                                 },
                                 [](const auto &) -> Entry { return std::nullopt; }},
                      context.at(type));
}

} // namespace cutaway::formats::pt2
