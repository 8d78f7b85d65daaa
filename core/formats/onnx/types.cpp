// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/types.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/symbolic/evaluate.h"

#include <algorithm>
#include <array>

namespace cutaway::formats::onnx {

using ir::CompoundType;
using ir::DType;

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
        if (m_symbols.insert(name).second)
            m_model.symbols.push_back({std::string(name), {}, {}, {}});
        return m_dims.insert_or_assign(name, symbolic::Expr::symbol(std::string(name))).first->second;
    }
    const auto [entry, isNew] = m_dims.try_emplace(name, symbolic::Expr::symbol(std::string(name)));
    if (isNew) {
        const auto expr = symbolic::parse(name);
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
