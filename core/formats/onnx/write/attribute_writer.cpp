// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/write/attribute_writer.h"

#include "core/base/overloaded.h"
#include "core/base/text.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/attributes.h"
#include "core/formats/onnx/types.h"
#include "core/formats/onnx/write/type_writer.h"
#include "core/formats/unusable.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_bytes.h"

#include <cstring>

namespace cutaway::formats::onnx {

namespace {

constexpr std::string_view kindKey = "pkg.torch.export.graph_signature.InputSpec.kind";
constexpr std::string_view persistentKey = "pkg.torch.export.graph_signature.InputSpec.persistent";

void addTexts(MessageWriter &message, Writing &writing, std::string_view tensor)
{
    for (const auto &[key, text] : writing.texts.take("tensor", tensor))
        if (key == "doc_string")
            message.text(12, text);
        else
            message.entry(16, key, text);
}

void addElements(MessageWriter &message, Writing &writing, ir::TensorId id)
{
    const ir::Tensor &tensor = writing.model.at(id);
    const ir::Storage &storage = writing.model.at(tensor.storage);
    const std::string name = "tensor " + sanitized(writing.text(tensor.name));
    if (const auto *strings = std::get_if<ir::InlineStrings>(&storage.data)) {
        for (const std::string &text : strings->strings)
            message.text(6, text);
        return;
    }
    const auto length = ir::byteSize(tensor);
    if (!length)
        unwritable("its sizes make no sense", name);
    if (const auto *none = std::get_if<ir::NoBytes>(&storage.data); none && *length > 0)
        unwritable("the elements of a tensor are not to be had: " + none->reason, name);
    if (const auto outside = writing.placement.outsideOf(id)) {
        message.entry(13, "location", outside->location);
        message.entry(13, "offset", std::to_string(outside->offset));
        message.entry(13, "length", std::to_string(outside->length));
        message.number(14, 1);
    } else {
        message.elements(9, id, static_cast<std::uint64_t>(*length));
    }
}

MessageWriter plainTensor(Writing &writing, ir::TensorId id, std::string_view name)
{
    const ir::Tensor &tensor = writing.model.at(id);
    MessageWriter message;
    for (const std::int64_t size : tensor.shape)
        message.integer(1, size);
    const auto dataType = dataTypeOf(tensor.dtype);
    if (!dataType)
        unwritable("ONNX has no element type " + std::string(ir::name(tensor.dtype)), "tensor " + sanitized(name));
    message.number(2, *dataType);
    message.textIfAny(8, name);
    addElements(message, writing, id);
    return message;
}

/// Whether a tensor is a list of numbers or texts that the reader turned into a tensor because it is long.
bool isLongList(const Writing &writing, std::string_view name, ir::TensorId id)
{
    const ir::Tensor &tensor = writing.model.at(id);
    return tensor.shape.size() == 1 && tensor.shape.front() > std::int64_t{limits::maxNumberListLength}
    && writing.text(tensor.name) == name
        && !std::holds_alternative<ir::FileRange>(writing.model.at(tensor.storage).data);
}

class AttributeWriter {
public:
    AttributeWriter(Writing &writing, std::string_view name, const std::string &where)
        : m_writing(writing),
          m_name(name),
          m_where(where)
    {
        m_message.text(1, name);
    }

    MessageWriter write(const ir::Operand &value)
    {
        std::visit(Overloaded{[](ir::None) {},
                              [&](std::int64_t n) { m_message.integer(3, n), setType(AttributeType::Int); },
                              [&](bool b) { m_message.integer(3, b ? 1 : 0), setType(AttributeType::Int); },
                              [&](double x) {
                                  m_message.real(2, static_cast<float>(x));
                                  setType(AttributeType::Float);
                              },
                              [&](const ir::String &s) {
                                  m_message.text(4, m_writing.text(s.text));
                                  setType(AttributeType::String);
                              },
                              [&](ir::TensorId tensor) { writeTensor(tensor); },
                              [&](ir::TypeId type) {
                                  m_message.message(14, typeMessage(m_writing.model, type));
                                  setType(AttributeType::TypeProto);
                              },
                              [&](const ir::List &list) { writeList(list); },
                              [&](const ir::Dict &dict) { writeReference(dict); }, [&](const auto &) { unknown(); }},
                   value.v);
        return std::move(m_message);
    }

private:
    void setType(AttributeType type) { m_message.number(20, static_cast<std::uint64_t>(type)); }

    [[noreturn]] void unknown() const
    {
        unwritable("ONNX has no attribute of the kind of " + sanitized(m_name), m_where);
    }

    bool isSparse(ir::TensorId id) const { return m_writing.model.at(id).layout != ir::Layout::Strided; }

    void writeTensor(ir::TensorId id)
    {
        if (isLongList(m_writing, m_name, id))
            return writeLongList(id);
        const std::string_view name = m_writing.text(m_writing.model.at(id).name);
        if (isSparse(id))
            m_message.message(22, sparseMessage(m_writing, id, name));
        else
            m_message.message(5, tensorMessage(m_writing, id, name));
        setType(isSparse(id) ? AttributeType::SparseTensor : AttributeType::Tensor);
    }

    void writeLongList(ir::TensorId id)
    {
        const ir::Tensor &tensor = m_writing.model.at(id);
        if (const auto *texts = std::get_if<ir::InlineStrings>(&m_writing.model.at(tensor.storage).data)) {
            for (const std::string &text : texts->strings)
                m_message.text(9, text);
            return setType(AttributeType::Strings);
        }
        const bool isReal = isFloatingPoint(tensor.dtype);
        const auto read = ir::visitElements(m_writing.model, id, [&](std::span<const std::byte> bytes) {
            if (isReal)
                forEach<float>(bytes, [&](float x) { m_message.real(7, x); });
            else
                forEach<std::int64_t>(bytes, [&](std::int64_t n) { m_message.integer(8, n); });
        });
        if (!read)
            unwritable(read.error().text(), m_where);
        setType(isReal ? AttributeType::Floats : AttributeType::Ints);
    }

    template <class T, class Visit>
    static void forEach(std::span<const std::byte> bytes, Visit &&visit)
    {
        for (; bytes.size() >= sizeof(T); bytes = bytes.subspan(sizeof(T))) {
            T x{};
            std::memcpy(&x, bytes.data(), sizeof(T));
            visit(x);
        }
    }

    /// Writes a list, whose items are all of one kind. An empty list counts as one of integers.
    void writeList(const ir::List &list)
    {
        AttributeType type = AttributeType::Ints;
        for (const ir::Operand &item : list.items)
            type = std::visit(Overloaded{[&](std::int64_t n) { return m_message.integer(8, n), AttributeType::Ints; },
                                         [&](bool b) { return m_message.integer(8, b ? 1 : 0), AttributeType::Ints; },
                                         [&](double x) {
                                             m_message.real(7, static_cast<float>(x));
                                             return AttributeType::Floats;
                                         },
                                         [&](const ir::String &s) {
                                             m_message.text(9, m_writing.text(s.text));
                                             return AttributeType::Strings;
                                         },
                                         [&](ir::TensorId tensor) { return writeItem(tensor); },
                                         [&](ir::TypeId id) {
                                             m_message.message(15, typeMessage(m_writing.model, id));
                                             return AttributeType::TypeProtos;
                                         },
                                         [&](const auto &) -> AttributeType { unknown(); }},
                              item.v);
        setType(type);
    }

    AttributeType writeItem(ir::TensorId id)
    {
        const std::string_view name = m_writing.text(m_writing.model.at(id).name);
        if (isSparse(id))
            m_message.message(23, sparseMessage(m_writing, id, name));
        else
            m_message.message(10, tensorMessage(m_writing, id, name));
        return isSparse(id) ? AttributeType::SparseTensors : AttributeType::Tensors;
    }

    /// Writes a reference {"ref_attr_name": name, "type": number}.
    void writeReference(const ir::Dict &dict)
    {
        const auto *name = dict.items.size() >= 2 ? dict.items[1].as<ir::String>() : nullptr;
        const auto *type = dict.items.size() >= 4 ? dict.items[3].as<std::int64_t>() : nullptr;
        if (!name)
            unknown();
        m_message.text(21, m_writing.text(name->text));
        if (type)
            m_message.integer(20, *type);
    }

    Writing &m_writing;
    std::string_view m_name;
    const std::string &m_where;
    MessageWriter m_message;
};

} // namespace

MessageWriter tensorMessage(Writing &writing, ir::TensorId id, std::string_view name)
{
    MessageWriter message = plainTensor(writing, id, name);
    addTexts(message, writing, writing.text(writing.model.at(id).name));
    return message;
}

MessageWriter initializerMessage(Writing &writing, ir::TensorId id, std::string_view name)
{
    MessageWriter message = tensorMessage(writing, id, name);
    const ir::Tensor &tensor = writing.model.at(id);
    const bool isParameter = tensor.kind == ir::Tensor::Kind::Parameter;
    if (isParameter != (isFloatingPoint(tensor.dtype) || writing.isParameterByUse(id)))
        message.entry(16, kindKey, isParameter ? "PARAMETER" : "BUFFER");
    if (!tensor.persistent)
        message.entry(16, persistentKey, "False");
    return message;
}

MessageWriter sparseMessage(Writing &writing, ir::TensorId id, std::string_view name)
{
    const ir::Tensor &tensor = writing.model.at(id);
    MessageWriter message;
    for (std::uint32_t i = 0; i < tensor.parts.size() && i < 2; ++i)
        message.message(i + 1, tensorMessage(writing, tensor.parts[i], i == 0 ? name : ""));
    for (const std::int64_t size : tensor.shape)
        message.integer(3, size);
    return message;
}

MessageWriter attributeMessage(Writing &writing, std::string_view name, const ir::Operand &value,
                               const std::string &where)
{
    return AttributeWriter(writing, name, where).write(value);
}

} // namespace cutaway::formats::onnx
