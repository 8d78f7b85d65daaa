// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/graph_text/read/annotation.h"

#include "core/formats/graph_text/read/lines.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace cutaway::formats::graph_text {

using symbolic::Expr;

namespace {

/// torch.utils._dtype_abbrs
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> dtypes{{
    {"bf16", "bfloat16"},
    {"f64", "float64"},
    {"f32", "float32"},
    {"f16", "float16"},
    {"f8e4m3fn", "float8_e4m3fn"},
    {"f8e5m2", "float8_e5m2"},
    {"f8e4m3fnuz", "float8_e4m3fnuz"},
    {"f8e5m2fnuz", "float8_e5m2fnuz"},
    {"f8e8m0fnu", "float8_e8m0fnu"},
    {"c32", "complex32"},
    {"c64", "complex64"},
    {"c128", "complex128"},
    {"i8", "int8"},
    {"i16", "int16"},
    {"i32", "int32"},
    {"i64", "int64"},
    {"b8", "bool"},
    {"u8", "uint8"},
    {"u16", "uint16"},
    {"u32", "uint32"},
}};

std::optional<ir::DType> dtypeOf(std::string_view text)
{
    const auto *const row = std::ranges::find(dtypes, text, &std::pair<std::string_view, std::string_view>::first);
    return ir::dtypeFromName(row == dtypes.end() ? (text == "u64" ? "uint64" : text) : row->second);
}

std::optional<std::int64_t> integer(std::string_view text)
{
    std::int64_t n = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(n) : std::nullopt;
}

/// Whether the value is the answer to a question.
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
    const std::size_t bracket = text.find('[');
    const auto dtype = bracket == text.npos ? std::nullopt : dtypeOf(text.substr(0, bracket));
    if (!dtype)
        return std::nullopt;
    ir::TensorType type;
    type.dtype = dtype;
    text.remove_prefix(bracket);
    const std::string_view whole = text;
    type.shape = shape(text);
    if (!type.shape)
        m_notes.warning("fx-text.type", "the sizes of a type have no end: " + shown(whole));
    if (text.starts_with('['))
        type.strides = shape(text);
    if (!text.empty()) {
        const std::size_t colon = std::min(text.find(':'), text.size());
        const auto index = integer(text.substr(std::min(colon + 1, text.size())));
        type.device = ir::Device{m_context.name(text.substr(0, colon)),
                                 index ? std::optional(static_cast<int>(std::clamp<std::int64_t>(*index, 0, 1 << 20)))
                                       : std::nullopt};
    }
    return type;
}

/// Takes "[4, s0 + 1]"; nothing where its end is missing.
std::optional<ir::Shape> AnnotationReader::shape(std::string_view &text)
{
    ir::Shape dims;
    int depth = 0;
    std::size_t start = 1;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char c = text[i];
        depth += c == '[' || c == '(' ? 1 : c == ']' || c == ')' ? -1 : 0;
        if ((c == ',' && depth == 1) || depth == 0) {
            if (const std::string_view size = trimmed(text.substr(start, i - start)); !size.empty())
                dims.push_back(dim(size));
            start = i + 1;
        }
        if (depth == 0) {
            text.remove_prefix(i + 1);
            return dims;
        }
    }
    text = {};
    return std::nullopt;
}

ir::Dim AnnotationReader::dim(std::string_view text)
{
    if (const auto n = integer(text))
        return *n;
    const auto expr = expression(text);
    if (!expr)
        return ir::UnknownDim{};
    return expr->kind() == symbolic::Kind::Integer ? ir::Dim(expr->integerValue()) : ir::Dim(*expr);
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
