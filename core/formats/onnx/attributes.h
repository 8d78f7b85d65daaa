// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/onnx/tensors.h"
#include "core/formats/onnx/types.h"
#include "core/formats/onnx/wire.h"
#include "core/ir/argument.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace cutaway::formats::onnx {

/// AttributeProto.AttributeType
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

/// An AttributeProto whose value is not decoded yet.
struct AttributeProto {
    Message message;
    std::string_view name, reference, documentation;
    AttributeType type = AttributeType::None;
    Field last; ///< the last field with a value
};

/// Reads an AttributeProto. Files of IR version 1 write no type: it follows from the value. Unknown types are an error.
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

/// Turns attributes into operands: numbers, texts, lists, constants of the model, types. A reference to an attribute of
/// the surrounding function becomes the dict {"ref_attr_name": name, "type": number}, which no attribute can be
/// otherwise.
class AttributeReader {
public:
    AttributeReader(ir::Model &model, TensorReader &tensors, TypeReader &types);

    /// The attribute's value; not for attributes of type Graph or Graphs.
    ir::Operand operand(const AttributeProto &attribute);
    /// The value of a Constant node as a tensor called `name`; nothing if the attribute is none that Constant has.
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
