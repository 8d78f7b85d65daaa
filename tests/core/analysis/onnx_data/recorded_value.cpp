// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/analysis/onnx_data/recorded_value.h"

#include "core/formats/onnx/tensors.h"
#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"

#include <charconv>

namespace cutaway::test {

namespace {

namespace onnx = formats::onnx;
using ops::Fact;

constexpr std::uint32_t tensorOfOptional = onnx::bytesField(3);
constexpr std::uint32_t sequenceOfOptional = onnx::bytesField(5);
constexpr std::uint32_t tensorsOfSequence = onnx::bytesField(3);

bool isWhole(ir::DType dtype)
{
    using enum ir::DType;
    return dtype == Bool || dtype == Int64 || dtype == Int32 || dtype == UInt8 || dtype == Int8 || dtype == Int16;
}

ir::Dim element(ir::DType dtype, const std::string &text)
{
    if (dtype == ir::DType::Bool)
        return std::int64_t{text == "true"};
    std::int64_t whole = 0;
    double fraction = 0;
    if (isWhole(dtype)) {
        std::from_chars(text.data(), text.data() + text.size(), whole);
        return whole;
    }
    std::from_chars(text.data(), text.data() + text.size(), fraction);
    return symbolic::Expr::floating(fraction);
}

/// One file of test data, read with the means of the model reader.
class Recording {
public:
    explicit Recording(std::shared_ptr<const MappedFile> file)
        : m_notes(m_model),
          m_external(m_model, m_notes, file->path().parent_path()),
          m_tensors(m_model, m_notes, m_external)
    {
        m_model.files.push_back({file->path(), std::move(file)});
    }

    Fact read(const ir::Context &context, ir::TypeId declared)
    {
        const auto bytes = m_model.files.front().mapping->bytes();
        return value({bytes, bytes.data()}, context, declared);
    }

private:
    Fact value(const onnx::Message &message, const ir::Context &context, ir::TypeId declared)
    {
        const auto *compound = std::get_if<ir::CompoundType>(&context.at(declared));
        if (!compound)
            return tensor(message, std::get_if<ir::TensorType>(&context.at(declared)));
        return compound->kind == ir::CompoundType::Kind::Optional ? optional(message, context, compound->elements[0])
                                                                  : sequence(message);
    }

    Fact optional(const onnx::Message &message, const ir::Context &context, ir::TypeId element)
    {
        onnx::MessageReader reader(message);
        for (onnx::Field field; reader.next(field);)
            if (field.tag == tensorOfOptional || field.tag == sequenceOfOptional)
                return value(field.payload, context, element);
        return ops::NoneFact{};
    }

    Fact sequence(const onnx::Message &message)
    {
        std::vector<Fact> items;
        onnx::MessageReader reader(message);
        for (onnx::Field field; reader.next(field);)
            if (field.tag == tensorsOfSequence)
                items.push_back(tensor(field.payload, nullptr));
        return ops::listFact(std::move(items));
    }

    Fact tensor(const onnx::Message &message, const ir::TensorType *declared)
    {
        const ir::TensorId id = m_tensors.constant(message, "recorded");
        const ir::Tensor &stored = m_model.at(id);
        ops::TensorFact fact = ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end()));
        // The writers of some files had no bfloat16 and recorded its bits.
        if (declared && declared->dtype == ir::DType::BFloat16 && stored.dtype == ir::DType::UInt16)
            fact.dtype = declared->dtype;
        const auto count = static_cast<std::size_t>(ir::elementCount(stored).value());
        const bool isFloat = stored.dtype == ir::DType::Float32 || stored.dtype == ir::DType::Float64;
        if (stored.dtype == ir::DType::String)
            return texts(fact, id);
        if (count > ops::maxTrackedElements || (!isWhole(stored.dtype) && !isFloat))
            return fact;
        std::vector<ir::Dim> elements;
        const auto texts = ir::firstElements(m_model, id, count, ir::Digits::All);
        for (const std::string &text : texts.value())
            elements.push_back(element(stored.dtype, text));
        fact.elements = std::move(elements);
        return fact;
    }

    Fact texts(const ops::TensorFact &fact, ir::TensorId id) const
    {
        return ops::textTensor(*fact.shape,
                               std::get<ir::InlineStrings>(m_model.at(m_model.at(id).storage).data).strings);
    }

    ir::Model m_model;
    formats::Notes m_notes;
    onnx::ExternalData m_external;
    onnx::TensorReader m_tensors;
};

} // namespace

Result<Fact> recordedValue(const std::filesystem::path &file, const ir::Context &context, ir::TypeId declared)
{
    auto mapped = MappedFile::open(file);
    if (!mapped)
        return std::unexpected(mapped.error());
    try {
        return Recording(std::make_shared<const MappedFile>(std::move(*mapped))).read(context, declared);
    } catch (const formats::Unusable &unusable) {
        return std::unexpected(unusable.error);
    }
}

Fact withoutElements(Fact fact)
{
    if (auto *tensor = std::get_if<ops::TensorFact>(&fact.v))
        tensor->elements = nullptr, tensor->texts = nullptr;
    else if (auto *sequence = std::get_if<ops::SequenceFact>(&fact.v))
        for (Fact &item : sequence->each())
            item = withoutElements(std::move(item));
    return fact;
}

} // namespace cutaway::test
