// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/evaluate/onnx_data/recorded.h"

#include "core/formats/onnx/tensors.h"

namespace cutaway::test {

namespace {

namespace onnx = formats::onnx;
using compute::Value;

constexpr std::uint32_t tensorOfOptional = onnx::bytesField(3);
constexpr std::uint32_t sequenceOfOptional = onnx::bytesField(5);
constexpr std::uint32_t tensorsOfSequence = onnx::bytesField(3);

/// One file of test data, read with the means of the model reader.
class RecordedFile {
public:
    explicit RecordedFile(std::shared_ptr<const MappedFile> file)
        : m_notes(m_model),
          m_external(m_model, m_notes, file->path().parent_path()),
          m_tensors(m_model, m_notes, m_external)
    {
        m_model.files.push_back({file->path(), std::move(file)});
    }

    Result<Value> read(const ir::Context &context, ir::TypeId declared)
    {
        const auto bytes = m_model.files.front().mapping->bytes();
        return value({bytes, bytes.data()}, context, declared);
    }

private:
    Result<Value> value(const onnx::Message &message, const ir::Context &context, ir::TypeId declared)
    {
        const auto *compound = std::get_if<ir::CompoundType>(&context.at(declared));
        if (!compound)
            return tensor(message, std::get_if<ir::TensorType>(&context.at(declared)));
        return compound->kind == ir::CompoundType::Kind::Optional ? optional(message, context, compound->elements[0])
                                                                  : sequence(message);
    }

    Result<Value> optional(const onnx::Message &message, const ir::Context &context, ir::TypeId element)
    {
        onnx::MessageReader reader(message);
        for (onnx::Field field; reader.next(field);)
            if (field.tag == tensorOfOptional || field.tag == sequenceOfOptional)
                return value(field.payload, context, element);
        return Value(ops::Fact(ops::NoneFact{}));
    }

    Result<Value> sequence(const onnx::Message &message)
    {
        compute::Values items;
        onnx::MessageReader reader(message);
        for (onnx::Field field; reader.next(field);)
            if (field.tag == tensorsOfSequence) {
                auto item = tensor(field.payload, nullptr);
                if (!item)
                    return item;
                items.push_back(std::move(*item));
            }
        return Value(std::move(items));
    }

    Result<Value> tensor(const onnx::Message &message, const ir::TensorType *declared)
    {
        const ir::TensorId id = m_tensors.constant(message, "recorded");
        const ir::Tensor &stored = m_model.at(id);
        if (stored.dtype == ir::DType::String)
            return Value(ops::Fact(
                ops::textTensor(ir::Shape(stored.shape.begin(), stored.shape.end()),
                                std::get<ir::InlineStrings>(m_model.at(m_model.at(id).storage).data).strings)));
        auto numbers = ir::numbersOf(m_model, id);
        if (!numbers)
            return std::unexpected(numbers.error());
        // The writers of some files had no bfloat16 and recorded its bits.
        if (declared && declared->dtype == ir::DType::BFloat16 && stored.dtype == ir::DType::UInt16)
            return Value(
                compute::Array{ir::DType::BFloat16, stored.shape,
                               ir::decodeNumbers(ir::DType::BFloat16, ir::encodeNumbers(ir::DType::UInt16, *numbers),
                                                 static_cast<std::size_t>(ir::elementCount(stored).value()))});
        return Value(compute::Array{stored.dtype, stored.shape, std::move(*numbers)});
    }

    ir::Model m_model;
    formats::Notes m_notes;
    onnx::ExternalData m_external;
    onnx::TensorReader m_tensors;
};

} // namespace

Result<Value> recordedNumbers(const std::filesystem::path &file, const ir::Context &context, ir::TypeId declared)
{
    auto mapped = MappedFile::open(file);
    if (!mapped)
        return std::unexpected(mapped.error());
    try {
        return RecordedFile(std::make_shared<const MappedFile>(std::move(*mapped))).read(context, declared);
    } catch (const formats::Unusable &unusable) {
        return std::unexpected(unusable.error);
    }
}

} // namespace cutaway::test
