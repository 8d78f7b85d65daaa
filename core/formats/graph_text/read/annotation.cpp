// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/annotation.h"

#include "core/formats/graph_text/read/lines.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <charconv>

namespace cutaway::formats::graph_text {

using symbolic::Expr;

namespace {

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Whether the expression is a Boolean.
bool isBoolean(const Expr &expr)
{
    using symbolic::Kind;
    return expr.kind() == Kind::Boolean || (expr.kind() >= Kind::Equal && expr.kind() <= Kind::Not);
}

} // namespace

ir::TypeId AnnotationReader::type(std::string_view text)
{
    const auto [entry, isNew] = m_types.try_emplace(text);
    if (isNew)
        entry->second = read(text);
    return entry->second;
}

ir::TypeId AnnotationReader::read(std::string_view text)
{
    constexpr std::string_view symbolic = "Sym(";
    if (text.starts_with(symbolic) && text.ends_with(')'))
        return m_context.type(number(text.substr(symbolic.size(), text.size() - symbolic.size() - 1)));
    if (const auto read = tensor(text))
        return m_context.type(*read);
    using Kind = ir::NumberType::Kind;
    if (text == "torch.Tensor" || text == "Tensor")
        return m_context.type(ir::TensorType{});
    for (const auto &[name, kind] : {std::pair("int", Kind::Int), std::pair("float", Kind::Float),
                                     std::pair("bool", Kind::Bool), std::pair("complex", Kind::Complex)})
        if (text == name)
            return m_context.type(ir::NumberType{kind, {}});
    const std::string_view name = text.substr(0, text.find('['));
    if (name.size() < text.size() && name.find_first_of("0123456789") != name.npos)
        m_notes.warning("fx-text.type", "a type cannot be read: " + shown(text));
    return text == "str" ? m_context.type(ir::PlainType{ir::PlainType::Kind::String}) : ir::TypeId{};
}

std::optional<ir::TensorType> AnnotationReader::tensor(std::string_view text)
{
    const auto printed = printedTensor(text);
    if (!printed)
        return std::nullopt;
    ir::TensorType type;
    type.dtype = printed->dtype;
    type.shape = shape(printed->shape);
    type.strides = shape(printed->strides);
    if (!type.shape)
        m_notes.warning("fx-text.type", "the sizes of a type have no end: " + shown(text));
    if (const std::string_view device = printed->device; !device.empty()) {
        const std::size_t colon = std::min(device.find(':'), device.size());
        const auto index = integer(device.substr(std::min(colon + 1, device.size())));
        type.device = ir::Device{m_context.name(device.substr(0, colon)),
                                 index ? std::optional(static_cast<int>(std::clamp<std::int64_t>(*index, 0, 1 << 20)))
                                       : std::nullopt};
    }
    return type;
}

std::optional<ir::Shape> AnnotationReader::shape(const std::optional<PrintedSizes> &sizes)
{
    if (!sizes)
        return std::nullopt;
    ir::Shape dims;
    for (const std::string_view size : *sizes)
        dims.push_back(dim(size));
    return dims;
}

ir::Dim AnnotationReader::dim(std::string_view text)
{
    auto size = integer(text);
    if (!size) {
        const auto expr = expression(text);
        if (!expr)
            return ir::UnknownDim{};
        if (expr->kind() != symbolic::Kind::Integer)
            return *expr;
        size = expr->integerValue();
    }
    if (*size >= 0)
        return *size;
    m_notes.warning("fx-text.type", "a size is less than zero: " + shown(text));
    return ir::UnknownDim{};
}

ir::Type AnnotationReader::number(std::string_view text)
{
    using Kind = ir::NumberType::Kind;
    auto expr = expression(text);
    const Kind kind = !expr  ? Kind::Number
        : isBoolean(*expr)   ? Kind::Bool
        : expr->isIntegral() ? Kind::Int
                             : Kind::Float;
    return ir::NumberType{kind, std::move(expr)};
}

std::optional<Expr> AnnotationReader::expression(std::string_view text)
{
    auto expr = symbolic::parse(text);
    if (!expr) {
        m_notes.warning("fx-text.expression",
                        "a size expression cannot be read: " + expr.error().text() + ": " + shown(text));
        return std::nullopt;
    }
    for (const std::string &symbol : symbolic::symbolsOf(*expr))
        m_symbols.insert(symbol);
    return std::move(*expr);
}

} // namespace cutaway::formats::graph_text
