// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/constants.h"

#include "core/ir/context.h"
#include "core/ir/tensors/tensor_data.h"

#include <charconv>
#include <utility>

namespace cutaway::analysis {

namespace {

using ops::Fact;

bool isWhole(ir::DType dtype)
{
    using enum ir::DType;
    return dtype == Bool || dtype == Int64 || dtype == Int32 || dtype == UInt8 || dtype == Int8 || dtype == Int16;
}

// Floating constants are of interest only as factors of sizes, one per dimension (twice as many for a region).
constexpr std::int64_t maxFactors = 16;

bool isTracked(ir::DType dtype, std::int64_t count)
{
    using enum ir::DType;
    return isWhole(dtype) ? count <= static_cast<std::int64_t>(ops::maxTrackedElements)
                          : (dtype == Float32 || dtype == Float64) && count <= maxFactors;
}

/// "true", "3", "0.5"
ir::Dim element(ir::DType dtype, const std::string &text)
{
    std::int64_t whole = text == "true";
    double fraction = 0;
    if (isWhole(dtype)) {
        std::from_chars(text.data(), text.data() + text.size(), whole);
        return whole;
    }
    std::from_chars(text.data(), text.data() + text.size(), fraction);
    return symbolic::Expr::floating(fraction);
}

/// nullptr where they are too many, or cannot be read.
std::shared_ptr<const std::vector<ir::Dim>> elementsOf(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &stored = model.at(id);
    const auto count = ir::elementCount(stored);
    if (!count || !isTracked(stored.dtype, *count))
        return nullptr;
    std::vector<ir::Dim> elements;
    if (const auto texts = ir::firstElements(model, id, ops::maxTrackedElements, ir::Digits::All))
        for (const std::string &text : *texts)
            elements.push_back(element(stored.dtype, text));
    if (std::ssize(elements) != *count)
        return nullptr;
    return std::make_shared<const std::vector<ir::Dim>>(std::move(elements));
}

/// nullptr where they are too many.
std::shared_ptr<const std::vector<std::string>> textsOf(const ir::Model &model, const ir::Tensor &stored)
{
    const auto *texts = std::get_if<ir::InlineStrings>(&model.at(stored.storage).data);
    if (!texts || texts->strings.size() > ops::maxTrackedElements)
        return nullptr;
    return ops::textTensor(ir::Shape(stored.shape.begin(), stored.shape.end()), texts->strings).texts;
}

ops::TensorFact factOfWeight(const ir::Model &model, ir::TensorId id)
{
    const ir::Tensor &stored = model.at(id);
    ops::TensorFact fact = ops::tensorFact(stored.dtype, ir::Shape(stored.shape.begin(), stored.shape.end()));
    fact.storage = ops::StorageNumber::Weights;
    if (stored.strides && stored.strides->size() == stored.shape.size())
        fact.strides = ops::normal(*fact.shape, ops::Strides(stored.strides->begin(), stored.strides->end()));
    fact.elements = elementsOf(model, id);
    if (stored.dtype == ir::DType::String)
        fact.texts = textsOf(model, stored);
    return fact;
}

} // namespace

Constants::Constants(const ir::Model &model, const FileSymbols &symbols)
    : m_model(model),
      m_symbols(symbols),
      m_signatures(*model.context)
{
}

const ops::Operator *Constants::rowOf(ir::OpId op)
{
    const auto [known, isNew] = m_rows.try_emplace(op, nullptr);
    if (isNew) {
        const ir::Operator &parts = m_model.context->at(op);
        known->second = ops::findOperator(m_model.context->text(parts.dialect), m_model.context->text(parts.name));
    }
    return known->second;
}

bool Constants::writes(ir::OpId op)
{
    const auto *signature = m_signatures.of(op);
    return signature && !signature->schema.arguments.empty() && signature->schema.arguments[0].type.isWritten();
}

const Fact &Constants::tensor(ir::TensorId id)
{
    const auto [known, isNew] = m_tensors.try_emplace(id);
    if (isNew)
        known->second = factOfWeight(m_model, id);
    return known->second;
}

Fact Constants::of(const ir::Operand &constant)
{
    const ops::Call::Source source{.fact = [](ir::ValueId) -> const Fact & { std::unreachable(); },
                                   .freshSize = {},
                                   .tensor = [this](ir::TensorId id) { return tensor(id); },
                                   .size = [this](const symbolic::Expr &expr) { return m_symbols.of(expr); }};
    return ops::factOf(*m_model.context, source, constant);
}

} // namespace cutaway::analysis
