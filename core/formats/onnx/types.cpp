// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/types.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

namespace cutaway::formats::onnx {

using ir::CompoundType;
using ir::DType;

namespace {

/// The most size names that are looked for in the names of other sizes; no exporter writes more.
constexpr std::size_t maxSizeNames = 256;

/// Calls `use` with the payload of each field of this number that is a message or a text.
template <class Use>
void eachPart(const Message &message, std::uint32_t number, const Use &use)
{
    MessageReader reader(message);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(number))
            use(field);
}

bool isPartOfName(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Whether the name is at `at` in the text, and is not a part of a longer name.
bool isNameAt(std::string_view text, std::size_t at, std::string_view name)
{
    const std::size_t end = at + name.size();
    return text.substr(at).starts_with(name) && (at == 0 || !isPartOfName(text[at - 1]) || !isPartOfName(name.front()))
        && (end == text.size() || !isPartOfName(text[end]) || !isPartOfName(name.back()));
}

/// Returns the text with backquotes around these names, the longest first, so that it parses as a formula.
std::string withQuotedNames(std::string_view text, std::span<const std::string_view> names)
{
    std::string quoted;
    for (std::size_t at = 0; at < text.size();) {
        std::string_view longest;
        for (const std::string_view name : names)
            if (name.size() > longest.size() && isNameAt(text, at, name))
                longest = name;
        quoted += longest.empty() ? std::string(1, text[at]) : "`" + std::string(longest) + "`";
        at += std::max<std::size_t>(longest.size(), 1);
    }
    return quoted;
}

/// Whether an expression consists only of symbols, integers, +, -, *, // and powers.
bool isArithmetic(const symbolic::Expr &expr)
{
    using enum symbolic::Kind;
    constexpr std::array kinds{Integer, Symbol, Add, Multiply, Power, FloorDivide};
    return std::ranges::contains(kinds, expr.kind()) && std::ranges::all_of(expr.operands(), isArithmetic);
}

} // namespace

void TypeReader::noteSizes(const Message &type)
{
    eachPart(type, 1, [&](const Field &tensor) {
        eachPart(tensor.payload, 2, [&](const Field &shape) {
            eachPart(shape.payload, 1, [&](const Field &dim) {
                eachPart(dim.payload, 2, [&](const Field &name) {
                    const bool isQuotable = !name.text().empty() && !name.text().contains('`');
                    if (isQuotable && m_sizeNames.size() < maxSizeNames)
                        m_sizeNames.insert(name.text());
                });
            });
        });
    });
}

/// Returns the formula that the name of an input's size is; nothing if a part of it is not the name of another size.
std::optional<symbolic::Expr> TypeReader::formulaOf(std::string_view name) const
{
    if (name.find_first_of("+-*/") == std::string_view::npos)
        return std::nullopt;
    std::vector<std::string_view> others;
    std::ranges::copy_if(m_sizeNames, std::back_inserter(others),
                         [&](std::string_view other) { return other.size() < name.size(); });
    auto expr = symbolic::parse(withQuotedNames(name, others));
    if (!expr || !isArithmetic(*expr) || expr->kind() == symbolic::Kind::Integer)
        return std::nullopt;
    symbolic::Replacements inner; // a symbol of the formula may be the name of another formula
    for (const std::string &symbol : symbolic::symbolsOf(*expr)) {
        if (!std::ranges::contains(others, symbol))
            return std::nullopt;
        if (auto formula = formulaOf(symbol))
            inner.emplace(symbol, std::move(*formula));
    }
    auto whole = inner.empty() ? std::move(expr) : symbolic::replace(*expr, inner);
    return whole ? std::optional(std::move(*whole)) : std::nullopt;
}

ValueType TypeReader::inputType(const Message &type)
{
    m_inInput = true;
    m_denotations.clear();
    const ir::TypeId id = m_model.context->type(read(type, 0));
    m_inInput = false;
    return {id, m_denotations};
}

const ValueType &TypeReader::type(const Message &type)
{
    const auto [entry, isNew] = m_bySpelling.try_emplace(type.text());
    if (isNew) {
        m_denotations.clear();
        entry->second.id = m_model.context->type(read(type, 0));
        entry->second.denotations = m_denotations;
    }
    return entry->second;
}

ir::Type TypeReader::read(const Message &type, int depth)
{
    if (depth > limits::maxMessageDepth)
        unusable(formatted("a type is nested deeper than {}", limits::maxMessageDepth),
                 formatted("byte {}", type.offset()));
    ir::Type result;
    MessageReader reader(type);
    for (Field field; reader.next(field);) {
        switch (field.tag) {
        case bytesField(1):
            result = readTensor(field.payload, ir::Layout::Strided);
            break;
        case bytesField(4):
            result = readElements(field.payload, CompoundType::Kind::List, depth);
            break;
        case bytesField(5):
            result = readMap(field.payload, depth);
            break;
        case bytesField(7):
            result = readOpaque(field.payload);
            break;
        case bytesField(6):
            addDenotation(field.text());
            break;
        case bytesField(8):
            result = readTensor(field.payload, ir::Layout::SparseCoo);
            break;
        case bytesField(9):
            result = readElements(field.payload, CompoundType::Kind::Optional, depth);
            break;
        default:
            break;
        }
    }
    return result;
}

ir::Type TypeReader::readTensor(const Message &tensor, ir::Layout layout)
{
    ir::TensorType type;
    type.layout = layout;
    MessageReader reader(tensor);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1))
            type.dtype = knownDType(field.value);
        else if (field.tag == bytesField(2))
            type.shape = readShape(field.payload);
    }
    return type;
}

CompoundType TypeReader::readElements(const Message &message, CompoundType::Kind kind, int depth)
{
    ir::TypeId element;
    MessageReader reader(message);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(1))
            element = m_model.context->type(read(field.payload, depth + 1));
    return {kind, {element}, {}, {}};
}

ir::Type TypeReader::readMap(const Message &map, int depth)
{
    ir::Type key = ir::NumberType{};
    ir::TypeId value;
    MessageReader reader(map);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1) && knownDType(field.value) == DType::String)
            key = ir::PlainType{ir::PlainType::Kind::String};
        else if (field.tag == bytesField(2))
            value = m_model.context->type(read(field.payload, depth + 1));
    }
    return CompoundType{CompoundType::Kind::Dict, {m_model.context->type(key), value}, {}, {}};
}

ir::Type TypeReader::readOpaque(const Message &opaque)
{
    std::string name;
    MessageReader reader(opaque);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1) && !field.text().empty())
            name.insert(0, std::string(field.text()) + ".");
        else if (field.tag == bytesField(2))
            name += field.text();
    }
    return ir::ClassType{ir::ClassType::Kind::Opaque, m_model.context->name(name)};
}

ir::Shape TypeReader::readShape(const Message &shape)
{
    ir::Shape dims;
    MessageReader reader(shape);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(1))
            dims.push_back(readDim(field.payload, dims.size()));
    return dims;
}

ir::Dim TypeReader::readDim(const Message &dim, std::size_t index)
{
    ir::Dim size = ir::UnknownDim{};
    MessageReader reader(dim);
    for (Field field; reader.next(field);) {
        if (field.tag == varintField(1)) {
            size = field.integer();
            if (field.integer() < 0) {
                m_notes.warning("onnx.negative-size",
                                formatted("a value's size is {}, shown as unknown", field.integer()));
                size = ir::UnknownDim{};
            }
        } else if (field.tag == bytesField(2) && !field.text().empty()) {
            size = namedDim(field.text());
        } else if (field.tag == bytesField(3) && !field.text().empty()) {
            addDenotation(formatted("dim {} {}", index, field.text()));
        }
    }
    return size;
}

ir::Dim TypeReader::namedDim(std::string_view name)
{
    if (m_inInput) {
        if (auto formula = formulaOf(name))
            return m_dims.insert_or_assign(name, std::move(*formula)).first->second;
        if (m_symbols.insert(name).second)
            m_model.symbols.push_back({std::string(name), {}, {}, {}});
        return m_dims.insert_or_assign(name, symbolic::Expr::symbol(std::string(name))).first->second;
    }
    const auto [entry, isNew] = m_dims.try_emplace(name, symbolic::Expr::symbol(std::string(name)));
    if (isNew) {
        auto expr = symbolic::parse(name);
        if (!expr && !m_symbols.contains(name) && m_symbols.size() <= maxSizeNames)
            expr = symbolic::parse(withQuotedNames(name, std::vector(m_symbols.begin(), m_symbols.end())));
        const auto isKnown = [&](const std::string &symbol) { return m_symbols.contains(symbol); };
        if (expr && expr->kind() == symbolic::Kind::Integer)
            entry->second = expr->integerValue();
        else if (expr && std::ranges::all_of(symbolic::symbolsOf(*expr), isKnown))
            entry->second = *expr;
    }
    return entry->second;
}

void TypeReader::addDenotation(std::string_view text)
{
    if (!m_denotations.empty() && !text.empty())
        m_denotations += ", ";
    m_denotations += text;
}

std::optional<DType> TypeReader::knownDType(std::uint64_t dataType)
{
    const auto dtype = ir::dtypeFromNumber(static_cast<std::int64_t>(dataType), ir::Numbering::Onnx);
    if (!dtype && dataType != 0)
        m_notes.warning("onnx.unknown-dtype",
                        formatted("a value has element type {}; this version knows 1 to 26", dataType));
    return dtype;
}

} // namespace cutaway::formats::onnx
