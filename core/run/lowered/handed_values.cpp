// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/lowered/handed_values.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <charconv>

namespace cutaway::run {

namespace {

const ir::Type *elementType(const ir::Context &context, const ir::Type &list)
{
    const auto *compound = std::get_if<ir::CompoundType>(&list);
    return compound && !compound->elements.empty() ? &context.at(compound->elements.front()) : nullptr;
}

/// Converts a returned value to an input of this type: backends return a number as a tensor without dimensions.
Result<InputContent> contentOfType(const protocol::Tensor &tensor, const ir::Type *type)
{
    const auto *number = type ? std::get_if<ir::NumberType>(type) : nullptr;
    if (!number)
        return tensor;
    const auto numbers = tensor::numbersOf(tensor);
    if (!numbers || numbers->size() != 1 || number->kind == ir::NumberType::Kind::Complex)
        return usageError("a number of this kind is not handed on");
    if (tensor.dtype == ir::DType::Bool)
        return ops::Fact(ops::boolFact(numbers->front() != 0));
    if (ir::isFloating(tensor.dtype))
        return ops::Fact(ops::floatFact(numbers->front()));
    return ops::Fact(ops::intFact(static_cast<std::int64_t>(numbers->front())));
}

} // namespace

HandedValues::HandedValues(const ir::Function &function, const Inputs &inputs) : m_function(function)
{
    for (const Input &input : inputs)
        m_inputs.emplace(input.value, input.content);
}

Result<void> HandedValues::take(std::span<const ir::ValueId> results, std::vector<Output> outputs)
{
    for (Output &output : outputs) {
        const std::size_t stop = std::min(output.name.find('.'), output.name.size());
        std::size_t number = results.size();
        std::from_chars(output.name.data(), output.name.data() + stop, number);
        if (number < results.size())
            m_returned[results[number]].push_back({output.name.substr(stop), std::move(output.content)});
    }
    for (const ir::ValueId result : results)
        if (!m_returned.contains(result))
            return backendError(formatted("the backend of a part did not return '{}'",
                                          ir::nameOf(ir::ValueRef(m_function.graph, result))));
    return {};
}

Result<InputContent> HandedValues::contentOf(ir::ValueId value, const std::vector<Returned> &parts) const
{
    const ir::Context &context = m_function.graph.context();
    const ir::Type &type = ir::ValueRef(m_function.graph, value).type();
    const auto *alone = parts.size() == 1 && parts.front().place.empty() ? &parts.front() : nullptr;
    if (alone)
        if (const auto *tensor = std::get_if<protocol::Tensor>(&alone->content))
            return contentOfType(*tensor, &type);
    const auto *compound = std::get_if<ir::CompoundType>(&type);
    InputParts all;
    if (compound && compound->kind == ir::CompoundType::Kind::Tuple)
        all.kind = InputParts::Kind::Tuple;
    if (alone) {
        const std::string &what = std::get<Opaque>(alone->content).what;
        if (what == "None")
            return ops::Fact(ops::NoneFact{});
        return what == "empty list" ? Result<InputContent>(all) : usageError(what + " is not handed on");
    }
    for (const Returned &part : parts) {
        const auto *tensor = std::get_if<protocol::Tensor>(&part.content);
        if (!tensor || std::ranges::count(part.place, '.') != 1 || part.place != formatted(".{}", all.items.size()))
            return usageError("a list in a list, a dictionary or an item that is no tensor is not handed on");
        auto item = contentOfType(*tensor, elementType(context, type));
        if (!item)
            return item;
        all.items.push_back(std::move(*item));
    }
    return all;
}

Result<InputContent> HandedValues::content(ir::ValueId value) const
{
    if (const auto input = m_inputs.find(value); input != m_inputs.end())
        return input->second;
    const auto returned = m_returned.find(value);
    if (returned == m_returned.end())
        return usageError(formatted("'{}' is not known", ir::nameOf(ir::ValueRef(m_function.graph, value))));
    auto made = contentOf(value, returned->second);
    if (!made)
        made.error() = made.error().noting(ir::nameOf(ir::ValueRef(m_function.graph, value)));
    return made;
}

Result<std::vector<Output>> HandedValues::outputs() const
{
    std::vector<Output> outputs;
    for (const ir::FunctionOutput &output : m_function.outputs) {
        const std::string name(m_function.graph.context().text(output.name));
        const auto *value = output.value.as<ir::ValueId>();
        if (const auto returned = value ? m_returned.find(*value) : m_returned.end(); returned != m_returned.end()) {
            for (const Returned &part : returned->second)
                outputs.push_back({name + part.place, part.content});
            continue;
        }
        const auto input = value ? m_inputs.find(*value) : m_inputs.end();
        const auto *drawn = input == m_inputs.end() ? nullptr : std::get_if<protocol::DrawnTensor>(&input->second);
        const auto *given = input == m_inputs.end() ? nullptr : std::get_if<protocol::Tensor>(&input->second);
        CUTAWAY_TRY(const auto tensor,
                    drawn       ? tensorOf(*drawn)
                        : given ? Result<protocol::Tensor>(*given)
                                : usageError(formatted("the result '{}' is no value that a part makes", name)));
        outputs.push_back({name, tensor});
    }
    return outputs;
}

} // namespace cutaway::run
