// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/wire.h"
#include "core/ir/argument.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::ir {
struct Model;
}

namespace cutaway::formats::onnx {

class TensorReader;
class TypeReader;

/// The values of AttributeProto.AttributeType.
enum class AttributeType : std::uint8_t {
    None,
    Float,
    Int,
    String,
    Tensor,
    Graph,
    Floats,
    Ints,
    Strings,
    Tensors,
    Graphs,
    SparseTensor,
    SparseTensors,
    TypeProto,
    TypeProtos,
};

/// An AttributeProto whose value was not decoded yet.
struct AttributeProto {
    Message message;
    std::string_view name, reference, documentation;
    AttributeType type = AttributeType::None;
    Field last; ///< the last field that holds a value
};

/// Reads an AttributeProto. If it has no type (IR version 1), its type follows from its value. Throws Unusable for
/// unknown types.
AttributeProto readAttribute(const Message &attribute);

/// Calls visit(Message) for each graph of a Graph or Graphs attribute.
template <class Visit>
void forEachGraph(const AttributeProto &attribute, Visit &&visit)
{
    MessageReader reader(attribute.message);
    for (Field field; reader.next(field);)
        if (field.tag == bytesField(6) || field.tag == bytesField(11))
            visit(field.payload);
}

/// Turns attributes into operands: numbers, texts, lists, constants of the model, types. Only a reference to an
/// attribute of the surrounding function becomes a dict: {"ref_attr_name": name, "type": number}.
class AttributeReader {
public:
    AttributeReader(ir::Model &model, TensorReader &tensors, TypeReader &types);

    /// Returns the attribute's value; not for attributes of type Graph or Graphs.
    ir::Operand operand(const AttributeProto &attribute);
    /// Returns the value of a Constant node as a tensor called `name`; nothing if the attribute is no such value.
    std::optional<ir::TensorId> constant(const AttributeProto &attribute, std::string_view name);

private:
    ir::Operand floats(const AttributeProto &attribute);
    ir::Operand integers(const AttributeProto &attribute);
    ir::Operand strings(const AttributeProto &attribute);
    ir::Operand ofMessages(const AttributeProto &attribute);
    template <class Make>
    ir::Operand list(const AttributeProto &attribute, Make &&make);

    ir::Model &m_model;
    TensorReader &m_tensors;
    TypeReader &m_types;
};

} // namespace cutaway::formats::onnx
