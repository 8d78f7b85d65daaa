// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/inputs.h"

#include "core/analysis/input_ranges.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ir/open_weights.h"

#include <algorithm>

namespace cutaway::run {

namespace {

using protocol::DrawnTensor;

std::unexpected<Error> unknown(const std::string &name, const char *what = "dtype or sizes are")
{
    return std::unexpected(Error{
        ErrorKind::Usage, std::string("its ") + what + " not known; give them by --input or --bind", "input " + name});
}

Result<DrawnTensor> drawn(const std::string &name, const ops::TensorFact &fact, std::uint32_t seed)
{
    if (!fact.dtype || !fact.shape)
        return unknown(name);
    DrawnTensor tensor{name, *fact.dtype, {}, seed};
    for (const ir::Dim &dim : *fact.shape) {
        const auto *size = std::get_if<std::int64_t>(&dim);
        if (!size)
            return unknown(name);
        tensor.shape.push_back(*size);
    }
    return tensor;
}

bool isKnown(const ops::NumberFact &number)
{
    const auto *dim = std::get_if<ir::Dim>(&number.value);
    return dim ? std::holds_alternative<std::int64_t>(*dim) : !std::holds_alternative<std::monostate>(number.value);
}

/// Makes the content of inputs: the given values, and random tensors, each of which takes the next seed.
class Maker {
public:
    Maker(std::string name, const GivenTensors &given, std::uint32_t seed)
        : m_name(std::move(name)),
          m_given(given),
          m_seed(seed)
    {
    }

    /// Makes the content of a part of an input. `place` is the part's name in the user's form: "xs.0".
    Result<InputContent> make(const ops::Fact &fact, const std::string &place)
    {
        if (const auto tensor = m_given.find(place); tensor != m_given.end())
            return tensor->second;
        if (const auto *tensor = ops::asTensor(fact)) {
            CUTAWAY_TRY(auto random, drawn(m_name, *tensor, m_seed++));
            return random;
        }
        if (const auto *maybe = fact.as<ops::MaybeFact>())
            return make(maybe->value.front(), place);
        if (const auto *list = fact.as<ops::SequenceFact>(); list && list->items())
            return items(*list, place);
        if (const auto *dict = fact.as<ops::DictFact>(); dict && dict->entries())
            return entries(*dict->entries(), place);
        const auto *number = fact.as<ops::NumberFact>();
        if (number ? isKnown(*number) : fact.as<ops::TextFact>() || fact.as<ops::NoneFact>())
            return fact;
        return unknown(m_name, "value is");
    }

private:
    Result<InputContent> items(const ops::SequenceFact &list, const std::string &place)
    {
        InputParts all{list.kind == ir::List::Kind::Tuple ? InputParts::Kind::Tuple : InputParts::Kind::List, {}};
        for (const ops::Fact &fact : list.each()) {
            auto item = make(fact, place + "." + std::to_string(all.items.size()));
            if (!item)
                return item;
            all.items.push_back(std::move(*item));
        }
        return all;
    }

    Result<InputContent> entries(const std::vector<ops::Fact> &facts, const std::string &place)
    {
        InputParts all{InputParts::Kind::Dict, {}};
        for (std::size_t i = 0; i + 1 < facts.size(); i += 2) {
            const auto *text = facts[i].as<ops::TextFact>();
            const auto number = ops::asInt(facts[i]);
            auto item = make(facts[i + 1], place + "." + (text ? text->text : number ? ir::print(*number) : ""));
            if (!item)
                return item;
            all.items.emplace_back(facts[i]);
            all.items.push_back(std::move(*item));
        }
        return all;
    }

    std::string m_name;
    const GivenTensors &m_given;
    std::uint32_t m_seed;
};

bool isOpen(const ir::Function &function, ir::ValueId value)
{
    const auto found = std::ranges::find(function.inputs, ir::Operand{value}, &ir::FunctionInput::value);
    using Kind = ir::FunctionInput::Kind;
    return found == function.inputs.end() || found->kind == Kind::User
        || (!found->tensor && (found->kind == Kind::Parameter || found->kind == Kind::Buffer));
}

/// Returns the body's inputs that the file does not bind, the weights whose elements no file has, and the weights that
/// are given in place of the file's.
template <class IsGiven>
std::vector<Input> openInputs(const ir::Model &model, ir::FunctionId id, const IsGiven &isGiven)
{
    const ir::Function &function = model.at(id);
    std::vector<Input> open;
    for (const ir::ValueId value : function.graph.at(ir::Graph::body).inputs)
        if (isOpen(function, value))
            open.push_back({value, std::string(model.context->text(function.graph.at(value).name)), {}});
    for (const ir::FunctionInput &input : function.inputs)
        if (std::string name(model.context->text(input.name));
            ir::isOpenWeight(model, input) || (ir::isOverridable(input) && isGiven(name)))
            open.push_back({*input.value.as<ir::ValueId>(), std::move(name), {}});
    return open;
}

} // namespace

const ir::FunctionInput *boundTo(const ir::Function &function, ir::ValueId value)
{
    const auto found = std::ranges::find_if(function.inputs, [&](const ir::FunctionInput &input) {
        return input.kind != ir::FunctionInput::Kind::User && input.tensor && input.value == ir::Operand{value};
    });
    return found == function.inputs.end() ? nullptr : &*found;
}

Result<Inputs> makeInputs(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                          const GivenTensors &tensors, std::uint32_t seed)
{
    ir::Model open = model;
    const auto weights = ir::openWeights(open, function);
    const analysis::Shapes shapes = analysis::inferShapes(open, function, given);
    const auto ranges = analysis::inputRanges(open, function, shapes);
    Inputs inputs = openInputs(open, function, [&](const std::string &name) { return given.inputs.contains(name); });
    for (Input &input : inputs) {
        const std::uint32_t own = seed++;
        if (const auto *object = std::get_if<ir::ClassType>(&ir::ValueRef(open.at(function).graph, input.value).type());
            object && object->kind != ir::ClassType::Kind::Enum)
            return std::unexpected(Error{ErrorKind::Usage,
                                         "it is an object of the class " + sanitized(model.context->text(object->name))
                                             + ", which cannot be given",
                                         "input " + input.name});
        CUTAWAY_TRY(input.content, Maker(input.name, tensors, own).make(shapes.of(input.value), input.name));
        if (auto *random = std::get_if<DrawnTensor>(&input.content); random && ranges.contains(input.value))
            random->range = ranges.at(input.value);
    }
    for (const ir::OpenedWeight &each : weights)
        std::ranges::find(inputs, each.input, &Input::value)->value = each.weight;
    return inputs;
}

Result<Inputs> inputsAlike(const ir::Model &model, ir::FunctionId function, const Inputs &inputs)
{
    Inputs others = openInputs(
        model, function, [&](const std::string &name) { return std::ranges::contains(inputs, name, &Input::name); });
    if (others.size() != inputs.size())
        return std::unexpected(Error{ErrorKind::Usage,
                                     "it has " + std::to_string(others.size()) + " inputs and the other model "
                                         + std::to_string(inputs.size()),
                                     {}});
    const auto isNamed = [&](const Input &input) { return std::ranges::contains(inputs, input.name, &Input::name); };
    const bool haveNames = std::ranges::all_of(others, isNamed);
    for (std::size_t i = 0; i < others.size(); ++i) {
        const auto same = haveNames ? std::ranges::find(inputs, others[i].name, &Input::name)
                                    : inputs.begin() + static_cast<std::ptrdiff_t>(i);
        others[i].content = same->content;
        if (auto *tensor = std::get_if<DrawnTensor>(&others[i].content))
            tensor->name = others[i].name;
    }
    return others;
}

Result<Inputs> inputsOfState(const ir::Model &state, ir::FunctionId function, const Inputs &inputs)
{
    Inputs own;
    for (const ir::ValueId value : state.at(function).graph.at(ir::Graph::body).inputs) {
        const auto input = std::ranges::find(inputs, value, &Input::value);
        if (input != inputs.end())
            own.push_back(*input);
        else if (isOpen(state.at(function), value))
            return backendError("a pass made a new input");
    }
    for (const ir::FunctionInput &each : state.at(function).inputs) {
        const auto input =
            std::ranges::find_if(inputs, [&](const Input &given) { return each.value == ir::Operand(given.value); });
        if ((ir::isOverridable(each) || ir::isOpenWeight(state, each)) && input != inputs.end())
            own.push_back(*input);
    }
    return own;
}

Result<protocol::Tensor> tensorOf(const DrawnTensor &drawn)
{
    return protocol::randomTensor(drawn.dtype, drawn.shape, drawn.seed, drawn.range);
}

} // namespace cutaway::run
