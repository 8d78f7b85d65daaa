// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/formats/onnx/tensors.h"

#include "core/base/formatted.h"
#include "core/formats/limits.h"
#include "core/formats/onnx/types.h"
#include "core/ir/context.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace cutaway::formats::onnx {

namespace {

using ir::DType;
using ir::FileRange;

/// A repeated number field. Writers pack it into one run of bytes; other encodings are valid, and gathered.
struct NumberList {
    std::optional<Message> packed;
    bool scattered = false;

    void add(const Field &field)
    {
        scattered = scattered || packed || (field.tag & 7) != 2;
        packed = field.payload;
    }
    bool present() const { return packed || scattered; }
};

void appendNumber(std::vector<std::byte> &bytes, std::uint64_t value, std::size_t width)
{
    const std::size_t at = bytes.size();
    bytes.resize(at + width);
    std::memcpy(bytes.data() + at, &value, width);
}

/// Returns all elements of a list in the order of the file, `width` bytes each.
std::vector<std::byte> gathered(const Message &tensor, std::uint32_t number, std::size_t width)
{
    std::vector<std::byte> bytes;
    MessageReader reader(tensor);
    for (Field field; reader.next(field);) {
        const bool isInteger = number == 5 || number == 7 || number == 11;
        if (field.tag == bytesField(number) && !isInteger)
            bytes.insert(bytes.end(), field.payload.bytes.begin(), field.payload.bytes.end());
        else if (field.tag == bytesField(number) || field.tag == varintField(number))
            forEachVarint(field, [&](std::uint64_t value) { appendNumber(bytes, value, width); });
        else if (field.tag == fixed32Field(number) || field.tag == fixed64Field(number))
            appendNumber(bytes, field.value, field.tag == fixed32Field(number) ? 4 : 8);
    }
    return bytes;
}

} // namespace

struct TensorReader::Proto {
    struct List {
        std::uint32_t number;
        NumberList numbers;
    };
    Message message;
    std::string_view name, documentation;
    std::vector<std::int64_t> dims;
    std::uint64_t dataType = 0;
    std::optional<Message> raw;
    std::array<List, 5> lists{{{4, {}}, {5, {}}, {7, {}}, {10, {}}, {11, {}}}};
    std::vector<std::string> strings;
    ExternalEntries external;
    bool isExternal = false, isSegment = false;
    std::vector<Text> metadata;
};

Text readText(const Message &entry)
{
    Text text;
    MessageReader reader(entry);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1))
            text.key = field.text();
        else if (field.tag == bytesField(2))
            text.text = field.text();
    }
    return text;
}

TensorReader::TensorReader(ir::Model &model, Notes &notes, ExternalData &external)
    : m_model(model),
      m_notes(notes),
      m_external(external)
{
}

TensorReader::Proto TensorReader::readProto(const Message &tensor)
{
    Proto proto;
    proto.message = tensor;
    constexpr std::size_t mostRanks = 4;
    proto.dims.reserve(mostRanks);
    MessageReader reader(tensor);
    for (Field field; reader.next(field);) {
        switch (field.number()) {
        case 1:
            forEachVarint(field, [&](std::uint64_t dim) {
                proto.dims.push_back(static_cast<std::int64_t>(dim));
                if (proto.dims.size() > limits::maxRank)
                    unusable(formatted("a tensor has more than {} dimensions", limits::maxRank),
                             formatted("byte {}", tensor.offset()));
            });
            break;
        case 2:
            proto.dataType = field.value;
            break;
        case 3:
            proto.isSegment = true;
            break;
        case 6:
            proto.strings.emplace_back(field.text());
            break;
        case 8:
            proto.name = field.text();
            break;
        case 9:
            proto.raw = field.payload;
            break;
        case 12:
            proto.documentation = field.text();
            break;
        case 13: {
            const Text entry = readText(field.payload);
            proto.external.emplace_back(entry.key, entry.text);
            break;
        }
        case 14:
            proto.isExternal = field.value == 1;
            break;
        case 16:
            proto.metadata.push_back(readText(field.payload));
            break;
        default:
            for (Proto::List &list : proto.lists)
                if (list.number == field.number())
                    list.numbers.add(field);
            break;
        }
    }
    return proto;
}

ir::TensorId TensorReader::initializer(const Message &tensor)
{
    const Proto proto = readProto(tensor);
    const ir::TensorId id = add(proto, proto.name);
    ir::Tensor &added = m_model.tensors.edit(id.index);
    added.kind = isFloatingPoint(added.dtype) ? ir::Tensor::Kind::Parameter : ir::Tensor::Kind::Buffer;
    keepTexts(proto, id);
    return id;
}

ir::TensorId TensorReader::constant(const Message &tensor, std::string_view name)
{
    const Proto proto = readProto(tensor);
    const ir::TensorId id = add(proto, name.empty() ? proto.name : name);
    keepTexts(proto, id);
    return id;
}

ir::TensorId TensorReader::sparse(const Message &tensor, std::string_view name)
{
    ir::Tensor whole;
    whole.layout = ir::Layout::SparseCoo;
    std::string_view own = name;
    MessageReader reader(tensor);
    for (Field field; reader.next(field);) {
        if (field.tag == bytesField(1) && own.empty())
            own = readProto(field.payload).name;
        if (field.tag == bytesField(1) || field.tag == bytesField(2))
            whole.parts.push_back(
                constant(field.payload, formatted("{}.{}", own, field.number() == 1 ? "values" : "indices")));
        else if (field.number() == 3)
            forEachVarint(field, [&](std::uint64_t dim) {
                if (whole.shape.size() < limits::maxRank)
                    whole.shape.push_back(static_cast<std::int64_t>(dim));
            });
    }
    if (whole.parts.empty())
        unusable("a sparse tensor has no values", formatted("byte {}", tensor.offset()));
    const ir::Tensor &values = m_model.at(whole.parts.front());
    whole.dtype = values.dtype;
    whole.name = m_model.context->name(own);
    return add(std::move(whole), {ir::NoBytes{"sparse"}, 0});
}

ir::TensorId TensorReader::sparseInitializer(const Message &tensor)
{
    const ir::TensorId id = sparse(tensor, {});
    if (!isFloatingPoint(m_model.at(id).dtype))
        return id;
    m_model.tensors.edit(id.index).kind = ir::Tensor::Kind::Packed;
    const ir::RareList<ir::TensorId> parts = m_model.at(id).parts;
    for (const ir::TensorId part : parts)
        m_model.tensors.edit(part.index).kind = ir::Tensor::Kind::Packed;
    return id;
}

ir::TensorId TensorReader::constant(std::string_view name, DType dtype, std::vector<std::int64_t> shape,
                                    std::vector<std::byte> bytes)
{
    ir::Tensor tensor;
    tensor.name = m_model.context->name(name);
    tensor.dtype = dtype;
    tensor.shape = std::move(shape);
    const std::uint64_t length = bytes.size();
    return add(std::move(tensor),
               {ir::InlineBytes{std::make_shared<std::vector<std::byte>>(std::move(bytes))}, length});
}

ir::TensorId TensorReader::constant(std::string_view name, std::vector<std::int64_t> shape,
                                    std::vector<std::string> strings)
{
    ir::Tensor tensor;
    tensor.name = m_model.context->name(name);
    tensor.dtype = DType::String;
    tensor.shape = std::move(shape);
    return add(std::move(tensor), {ir::InlineStrings{std::move(strings)}, 0});
}

ir::TensorId TensorReader::add(const Proto &proto, std::string_view name)
{
    const auto dtype = ir::dtypeFromNumber(static_cast<std::int64_t>(proto.dataType), ir::Numbering::Onnx);
    if (!dtype)
        unusable(formatted("tensor {} has element type {}; known are 1 to 26", shown(name), proto.dataType),
                 formatted("byte {}", proto.message.offset()));
    ir::Tensor tensor;
    tensor.name = m_model.context->name(name);
    tensor.dtype = *dtype;
    tensor.shape = proto.dims;
    if (proto.isSegment)
        m_notes.warning("onnx.tensor-segment", formatted("tensor {} is one segment of a larger one", shown(name)));
    if (!proto.isExternal) {
        ir::Storage bytes = storage(proto, tensor);
        return add(std::move(tensor), std::move(bytes));
    }
    tensor.storage = m_external.storage(name, proto.external, ir::byteSize(tensor));
    m_model.tensors.push_back(std::move(tensor));
    return {static_cast<std::uint32_t>(m_model.tensors.size() - 1)};
}

ir::TensorId TensorReader::add(ir::Tensor tensor, ir::Storage storage)
{
    tensor.storage = {static_cast<std::uint32_t>(m_model.storages.size())};
    m_model.storages.push_back(std::move(storage));
    m_model.tensors.push_back(std::move(tensor));
    return {static_cast<std::uint32_t>(m_model.tensors.size() - 1)};
}

/// Takes over what torch's exporter records about an initializer; other texts are kept unchanged.
void TensorReader::keepTexts(const Proto &proto, ir::TensorId id)
{
    ir::Tensor &tensor = m_model.tensors.edit(id.index);
    const auto keep = [&](std::string_view key, std::string_view text) {
        m_model.attachments.push_back({formatted("tensor {}: {}", proto.name, key), std::string(text), {}});
    };
    if (!proto.documentation.empty())
        keep("doc_string", proto.documentation);
    for (const auto &[key, text] : proto.metadata) {
        if (key == "pkg.torch.export.graph_signature.InputSpec.kind" && (text == "PARAMETER" || text == "BUFFER")) {
            tensor.kind = text == "PARAMETER" ? ir::Tensor::Kind::Parameter : ir::Tensor::Kind::Buffer;
            m_declared.insert(id);
        } else if (key == "pkg.torch.export.graph_signature.InputSpec.persistent")
            tensor.persistent = text != "False";
        else if (key != "pkg.torch.export.graph_signature.InputSpec.kind" && key != "pkg.torch.onnx.original_node_name")
            keep(key, text);
    }
}

ir::Storage TensorReader::storage(const Proto &proto, const ir::Tensor &tensor)
{
    const auto elements = ir::elementCount(tensor);
    if (!elements)
        return withoutBytes(tensor, "a size is negative or their product has more than 63 bits");
    if (tensor.dtype == DType::String) {
        if (proto.strings.size() != static_cast<std::uint64_t>(*elements))
            return withoutBytes(
                tensor, formatted("its shape asks for {} texts, the file has {}", *elements, proto.strings.size()));
        return {ir::InlineStrings{proto.strings}, 0};
    }
    const auto length = ir::byteSize(tensor);
    if (!length)
        return withoutBytes(tensor, "its size in bytes has more than 63 bits");
    if (!proto.raw)
        return typedStorage(proto, tensor, *length);
    const std::uint64_t have = proto.raw->bytes.size();
    if (have < static_cast<std::uint64_t>(*length))
        return withoutBytes(tensor, formatted("its shape asks for {} bytes, the file has {}", *length, have));
    if (have > static_cast<std::uint64_t>(*length))
        m_notes.warning("onnx.tensor-size",
                        formatted("tensor {} has {} bytes, its shape asks for {}",
                                  shown(m_model.context->text(tensor.name)), have, *length));
    return {range(*proto.raw, FileRange::Encoding::LittleEndian), have};
}

ir::Storage TensorReader::typedStorage(const Proto &proto, const ir::Tensor &tensor, std::int64_t byteLength)
{
    const auto list = std::ranges::find_if(proto.lists, [](const auto &l) { return l.numbers.present(); });
    const auto wanted = static_cast<std::uint64_t>(byteLength);
    if (list == proto.lists.end() && wanted > 0)
        return withoutBytes(tensor, "the file has no data for it");
    if (list == proto.lists.end())
        return {ir::InlineBytes{std::make_shared<std::vector<std::byte>>()}, 0};
    const bool isVarints = list->number == 5 || list->number == 7 || list->number == 11;
    const std::size_t width = static_cast<std::size_t>(std::max(1, ir::bitWidth(tensor.dtype).value_or(8) / 8));
    const auto shortage = [&](std::uint64_t have) {
        return withoutBytes(tensor, formatted("its shape asks for {} bytes, the file's list has {}", wanted, have));
    };
    if (list->numbers.scattered || (isVarints && list->numbers.packed->bytes.size() <= limits::maxNumberListLength)) {
        auto bytes = gathered(proto.message, list->number, width);
        if (bytes.size() < wanted)
            return shortage(bytes.size());
        const std::uint64_t have = bytes.size();
        return {ir::InlineBytes{std::make_shared<std::vector<std::byte>>(std::move(bytes))}, have};
    }
    const std::uint64_t have = list->numbers.packed->bytes.size();
    if (!isVarints)
        return have < wanted ? shortage(have)
                             : ir::Storage{range(*list->numbers.packed, FileRange::Encoding::LittleEndian), have};
    // Varints are not counted, because that would read all of them: each has at least one byte.
    if (have < wanted / width)
        return shortage(have * width);
    return {range(*list->numbers.packed, FileRange::Encoding::Varints), wanted};
}

ir::Storage TensorReader::withoutBytes(const ir::Tensor &tensor, std::string reason)
{
    m_notes.error("onnx.tensor-data", formatted("tensor {}: {}", shown(m_model.context->text(tensor.name)), reason));
    const auto length = ir::byteSize(tensor);
    return {ir::NoBytes{std::move(reason)}, static_cast<std::uint64_t>(length.value_or(0))};
}

ir::FileRange TensorReader::range(const Message &bytes, FileRange::Encoding encoding) const
{
    return {ir::FileId{0}, bytes.offset(), bytes.bytes.size(), encoding};
}

} // namespace cutaway::formats::onnx
