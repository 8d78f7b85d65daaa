// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/proof/number_check.h"

#include "core/analysis/input_ranges.h"
#include "core/base/result.h"
#include "core/ir/node_ref.h"
#include "core/ir/open_weights.h"
#include "core/ir/tensors/random_numbers.h"
#include "core/passes/computable.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutaway::passes {

namespace {

using compute::Array;
using compute::Value;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// Returns the elements that the user gives for a tensor; nothing if one is not known.
std::optional<ir::Numbers> knownElements(const ops::TensorFact &fact)
{
    std::vector<std::int64_t> wholes;
    std::vector<double> floats;
    for (const ir::Dim &element :
         fact.elements ? std::span<const ir::Dim>(*fact.elements) : std::span<const ir::Dim>()) {
        if (const auto whole = ops::number(element))
            wholes.push_back(*whole);
        if (const auto x = ops::floating(element))
            floats.push_back(*x);
    }
    const bool areFloats = fact.dtype && ir::isFloat(*fact.dtype);
    if (!fact.elements || (areFloats ? floats.size() : wholes.size()) != fact.elements->size())
        return std::nullopt;
    return areFloats ? ir::Numbers(std::move(floats)) : ir::Numbers(std::move(wholes));
}

/// Returns the tensor that the user gives for an input, else a random one.
Result<Value> tensorFor(const ops::TensorFact &fact, std::uint32_t seed, std::optional<ir::NumberRange> range)
{
    const auto unknown = [] {
        return std::unexpected(Error{ErrorKind::Usage, "the sizes or the dtype of an input are not known", {}});
    };
    if (!fact.dtype || !fact.shape || !compute::isComputable(*fact.dtype))
        return unknown();
    compute::Sizes shape;
    for (const ir::Dim &dim : *fact.shape) {
        const auto *size = std::get_if<std::int64_t>(&dim);
        if (!size)
            return unknown();
        shape.push_back(*size);
    }
    const auto elements = ir::elementCount(*fact.shape);
    if (!elements || *elements > evaluate::Limits{}.elements)
        return std::unexpected(Error{ErrorKind::Usage, "an input is too large to compute with", {}});
    auto known = knownElements(fact);
    return Array{*fact.dtype, std::move(shape),
                 known ? std::move(*known)
                       : ir::randomNumbers(*fact.dtype, static_cast<std::size_t>(*elements), seed, range)};
}

/// Returns the entry of the signature that binds a tensor of the file to `value`, an input of the body; nullptr if
/// there is none.
const ir::FunctionInput *boundTo(const ir::Function &function, ir::ValueId value)
{
    const auto found = std::ranges::find_if(function.inputs, [&](const ir::FunctionInput &input) {
        return input.kind != ir::FunctionInput::Kind::User && input.tensor && input.value == ir::Operand{value};
    });
    return found == function.inputs.end() ? nullptr : &*found;
}

/// Returns the value that an input is in all states: the input itself, or the weight that was opened as this input.
ir::ValueId originalOf(ir::ValueId input, const std::vector<ir::OpenedWeight> &weights)
{
    const auto opened = std::ranges::find(weights, input, &ir::OpenedWeight::input);
    return opened == weights.end() ? input : opened->weight;
}

double difference(double a, double b)
{
    if (a == b || (std::isnan(a) && std::isnan(b)))
        return 0;
    const double distance = std::abs(a - b);
    return std::isnan(distance) ? infinite : distance;
}

double difference(const Value &a, const Value &b)
{
    if (const auto *list = a.as<std::vector<Value>>()) {
        const auto *other = b.as<std::vector<Value>>();
        if (!other || other->size() != list->size())
            return infinite;
        double largest = 0;
        for (std::size_t i = 0; i < list->size(); ++i)
            largest = std::max(largest, difference((*list)[i], (*other)[i]));
        return largest;
    }
    const auto *x = a.as<Array>();
    const auto *y = b.as<Array>();
    if (!x || !y || x->dtype != y->dtype || x->shape != y->shape)
        return a == b ? 0 : infinite;
    const std::vector<double> before = floatsOf(*x), after = floatsOf(*y);
    double largest = 0;
    for (std::size_t i = 0; i < before.size(); ++i)
        largest = std::max(largest, difference(before[i], after[i]));
    for (std::size_t i = 0; i < x->imaginary.size(); ++i)
        largest = std::max(largest, difference(x->imaginary[i], y->imaginary[i]));
    return largest;
}

} // namespace

std::vector<std::size_t> outputsOf(const ir::Function &later, const ir::Function &earlier)
{
    using Kind = ir::FunctionOutput::Kind;
    const auto isMutation = [](const ir::FunctionOutput &output) {
        return output.kind == Kind::BufferMutation || output.kind == Kind::UserInputMutation;
    };
    const auto isNew = [&](const ir::FunctionOutput &output) {
        return isMutation(output) && std::ranges::none_of(earlier.outputs, [&](const ir::FunctionOutput &other) {
                   return other.kind == output.kind && other.target == output.target;
               });
    };
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < later.outputs.size(); ++i)
        if (!isNew(later.outputs[i]))
            kept.push_back(i);
    return kept;
}

Result<NumberCheck> NumberCheck::of(const ir::Model &model, ir::FunctionId function, const analysis::Given &given,
                                    const Task &task, std::uint32_t seed)
{
    ir::Model open = model;
    const auto weights = ir::openWeights(open, function);
    const analysis::Analysis analysis = analysis::analyse(open, function, given, task);
    const ir::Function &of = open.at(function);
    const auto ranges = analysis::inputRanges(open, function, analysis.shapes);
    evaluate::Evaluator evaluator(open);
    NumberCheck check(function);
    for (const ir::ValueId input : of.graph.at(ir::Graph::body).inputs) {
        const ir::FunctionInput *bound = boundTo(of, input);
        const ops::Fact &fact = analysis.shapes.of(input);
        const auto *tensor = ops::asTensor(fact);
        const auto range = ranges.find(input);
        auto value = bound ? evaluator.valueOf(ir::Operand{*bound->tensor}, [](ir::ValueId) { return nullptr; })
            : tensor ? tensorFor(*tensor, seed++, range == ranges.end() ? std::nullopt : std::optional(range->second))
                     : Result<Value>(Value(fact));
        if (!value) {
            value.error().where = std::string(ir::ValueRef(of.graph, input).name());
            return std::unexpected(value.error());
        }
        check.m_inputs.emplace(originalOf(input, weights), std::move(*value));
    }
    CUTAWAY_TRY(check.m_expected, check.results(model, task));
    check.m_first = model.at(function);
    return check;
}

/// Inputs are found by their value, as passes may have removed some.
Result<compute::Values> NumberCheck::results(const ir::Model &state, const Task &task) const
{
    ir::Model open = state;
    const auto weights = ir::openWeights(open, m_function);
    compute::Values inputs;
    for (const ir::ValueId input : open.at(m_function).graph.at(ir::Graph::body).inputs) {
        const auto known = m_inputs.find(originalOf(input, weights));
        if (known == m_inputs.end())
            return std::unexpected(Error{ErrorKind::Backend, "a pass made a new input", {}});
        inputs.push_back(known->second);
    }
    auto found =
        evaluate::evaluate(computable(open, m_function, inputs, task), m_function, inputs, {.stop = task.stop});
    if (!found && found.error().kind != ErrorKind::Cancelled)
        found.error().kind = ErrorKind::Backend; // the error is not about a file that cannot be read
    return found;
}

NumberCheck NumberCheck::unable(const Error &reason)
{
    NumberCheck check{ir::FunctionId{}};
    check.m_unable =
        Error{ErrorKind::Backend, "not checked: the results of the model as read are not known: " + reason.text(), {}};
    return check;
}

NumberCheck NumberCheck::worstOf(std::vector<NumberCheck> checks)
{
    if (checks.size() == 1)
        return std::move(checks.front());
    return NumberCheck([checks = std::move(checks)](const ir::Model &state, const Task &task) -> Result<double> {
        double largest = 0;
        for (const NumberCheck &check : checks) {
            const auto error = check.measured(state, task);
            if (!error)
                return error;
            largest = std::max(largest, *error);
        }
        return largest;
    });
}

Result<double> NumberCheck::largestError(const ir::Model &state, const Task &task) const
{
    if (m_unable)
        return std::unexpected(*m_unable);
    auto error = measured(state, task);
    if (!error && error.error().kind != ErrorKind::Cancelled)
        return std::unexpected(
            Error{ErrorKind::Backend, "the results can no longer be computed: " + error.error().text(), {}});
    return error;
}

Result<bool> NumberCheck::isWithin(double tolerance, const ir::Model &state, const Task &task) const
{
    const auto error = largestError(state, task);
    if (!error && error.error().kind == ErrorKind::Cancelled)
        return std::unexpected(error.error());
    return error && *error <= tolerance;
}

Result<double> NumberCheck::measured(const ir::Model &state, const Task &task) const
{
    if (m_measure)
        return m_measure(state, task);
    CUTAWAY_TRY(const auto found, results(state, task));
    const std::vector<std::size_t> kept = outputsOf(state.at(m_function), *m_first);
    if (kept.size() != m_expected.size())
        return infinite;
    double largest = 0;
    for (std::size_t i = 0; i < kept.size(); ++i)
        largest = std::max(largest, difference(m_expected[i], found[kept[i]]));
    return largest;
}

} // namespace cutaway::passes
