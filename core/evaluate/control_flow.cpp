// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/program/control_flow.h"
#include "core/base/result.h"
#include "core/evaluate/frame.h"
#include "core/ir/opsets.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <numeric>

namespace cutaway::evaluate {

using compute::Array;
using compute::Sizes;

namespace {

std::unexpected<Error> stopped(const ir::NodeRef &node, std::string_view reason)
{
    return unreadable("no value for " + node.fullName() + ": " + std::string(reason));
}

std::optional<std::int64_t> wholeOf(const Value &value)
{
    if (const auto *array = value.as<Array>())
        return array->count() == 1 && array->isWhole() ? std::optional(array->as<std::int64_t>().front())
                                                       : std::nullopt;
    const auto *fact = value.as<ops::Fact>();
    const auto number = fact ? ops::asInt(*fact) : std::nullopt;
    return number ? ops::number(*number) : std::nullopt;
}

std::optional<bool> booleanOf(const Value &value)
{
    const auto *array = value.as<Array>();
    if (array)
        return array->count() == 1 ? std::optional(compute::floatsOf(*array).front() != 0) : std::nullopt;
    const auto *fact = value.as<ops::Fact>();
    return fact ? ops::asBool(*fact) : std::nullopt;
}

bool isNone(const Value &value)
{
    const auto *fact = value.as<ops::Fact>();
    return fact && fact->as<ops::NoneFact>();
}

// ---- slices of tensors

/// Returns a slice of a tensor along an axis.
std::optional<Value> sliceAt(const Value &value, std::int64_t axis, std::int64_t index)
{
    const auto *array = value.as<Array>();
    const auto at = array ? ops::dimension(axis, array->shape.size()) : std::nullopt;
    if (!at || index < 0 || index >= array->shape[*at])
        return std::nullopt;
    Sizes shape = array->shape, steps = compute::stridesOf(array->shape);
    const std::int64_t offset = index * steps[*at];
    shape.erase(shape.begin() + static_cast<std::ptrdiff_t>(*at));
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(*at));
    return Value(compute::strided(*array, std::move(shape), steps, offset));
}

/// Stacks slices of one dtype and shape along a new axis; nothing for other values.
std::optional<Value> stacked(const Values &slices, std::int64_t axis)
{
    const auto *first = slices.empty() ? nullptr : slices.front().as<Array>();
    const auto at = first ? ops::dimension(axis, first->shape.size() + 1) : std::nullopt;
    if (!at || ir::isComplex(first->dtype))
        return std::nullopt;
    Array all{first->dtype, first->shape, first->elements};
    std::visit([](auto &list) { list.clear(); }, all.elements);
    for (const Value &slice : slices) {
        const auto *array = slice.as<Array>();
        if (!array || array->dtype != first->dtype || array->shape != first->shape)
            return std::nullopt;
        std::visit(
            [&](auto &list) {
                const auto &own = std::get<std::remove_reference_t<decltype(list)>>(array->elements);
                list.insert(list.end(), own.begin(), own.end());
            },
            all.elements);
    }
    all.shape.insert(all.shape.begin(), std::ssize(slices));
    std::vector<std::size_t> order(all.shape.size());
    std::iota(order.begin(), order.end(), 0);
    std::rotate(order.begin(), order.begin() + 1, order.begin() + static_cast<std::ptrdiff_t>(*at) + 1);
    return Value(compute::permuted(all, order));
}

/// Appends each value to its list of slices.
void addSlices(std::vector<Values> &slices, std::span<Value> values)
{
    slices.resize(values.size());
    for (std::size_t k = 0; k < values.size(); ++k)
        slices[k].push_back(std::move(values[k]));
}

/// Stacks the slices of each result along a new first axis. Errors: the slices of a result differ, or there are none.
Result<Values> allStacked(const ir::NodeRef &node, const std::vector<Values> &slices)
{
    Values all;
    for (const Values &own : slices) {
        auto stack = stacked(own, 0);
        if (!stack)
            return stopped(node, "slices that cannot be stacked");
        all.push_back(std::move(*stack));
    }
    return all;
}

/// Returns a stack of no slices of this dtype and shape.
Value stackedNone(const Array &slice)
{
    Array none = slice;
    std::visit([](auto &list) { list.clear(); }, none.elements);
    none.shape.insert(none.shape.begin(), 0);
    return {std::move(none)};
}

std::optional<std::int64_t> lengthAlong(const Value &value, std::int64_t axis)
{
    const auto *array = value.as<Array>();
    const auto at = array ? ops::dimension(axis, array->shape.size()) : std::nullopt;
    return at ? std::optional(array->shape[*at]) : std::nullopt;
}

// ---- branches and loops

/// Runs prim::If, onnx::If and higher_order::cond.
Result<Values> branch(const ir::NodeRef &node, Frame &frame)
{
    const auto condition =
        node->arguments.empty() ? unreadable("no condition") : frame.valueOf(node->arguments.front().value);
    const auto taken = condition ? booleanOf(*condition) : std::nullopt;
    if (!taken || node->regions.size() != 2)
        return stopped(node, "a condition that is not known");
    const std::size_t region = *taken ? 0 : 1;
    if (node.region(region).inputs.empty())
        return frame.region(node->regions[region], {});
    CUTAWAY_TRY(const auto inputs, frame.argumentsFrom(node, 1));
    return frame.region(node->regions[region], inputs);
}

/// Returns the inputs of a loop's region: the counter, for ONNX the condition, and the values that are carried.
Values loopInputs(const ir::NodeRef &node, std::int64_t iteration, const Values &carried)
{
    Values inputs;
    if (node.isOnnx())
        inputs = {Value(compute::filled(ir::DType::Int64, {}, iteration)),
                  Value(compute::filled(ir::DType::Bool, {}, std::int64_t{1}))};
    else
        inputs = {Value(ops::Fact(ops::intFact(iteration)))};
    inputs.insert(inputs.end(), carried.begin(), carried.end());
    return inputs;
}

/// Returns the scanned results of an ONNX loop that does not run: stacks of no slices, of the dtype and the shape that
/// an iteration would give. Errors: those of the region; an iteration gives something else than a tensor.
Result<Values> scannedNone(const ir::NodeRef &node, const Values &carried, Frame &frame)
{
    CUTAWAY_TRY(const auto ends, frame.region(node->regions.front(), loopInputs(node, 0, carried)));
    Values none;
    for (std::size_t i = 1 + carried.size(); i < ends.size(); ++i) {
        const auto *slice = ends[i].as<Array>();
        if (!slice)
            return stopped(node, "slices that cannot be stacked");
        none.push_back(stackedNone(*slice));
    }
    return none;
}

/// Runs prim::Loop or onnx::Loop: (maximal count, condition, carried…) with the region (counter, [condition,] carried…)
/// → (condition, carried…, scanned…). ONNX's region takes the condition, too, and its scanned results are stacked.
Result<Values> loop(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(const auto values, frame.argumentsFrom(node, 0));
    if (values.size() < 2 || node->regions.size() != 1)
        return stopped(node, "a loop without a condition");
    const auto limit = isNone(values[0]) ? std::optional(std::numeric_limits<std::int64_t>::max()) : wholeOf(values[0]);
    auto goesOn = isNone(values[1]) ? std::optional(true) : booleanOf(values[1]);
    Values carried(values.begin() + 2, values.end());
    std::vector<Values> scanned;
    for (std::int64_t iteration = 0; limit && goesOn == true && iteration < *limit; ++iteration) {
        CUTAWAY_TRY(auto ends, frame.region(node->regions.front(), loopInputs(node, iteration, carried)));
        if (ends.size() < carried.size() + 1)
            return stopped(node, "a loop that gives too little");
        goesOn = booleanOf(ends.front());
        addSlices(scanned, std::span(ends).subspan(1 + carried.size()));
        carried.assign(ends.begin() + 1, ends.begin() + 1 + std::ssize(carried));
    }
    if (!limit || !goesOn)
        return stopped(node, "a loop whose number of iterations is not known");
    const bool isNotRun = scanned.empty() && node.isOnnx() && node.outputCount() > carried.size();
    CUTAWAY_TRY(const auto stacks, isNotRun ? scannedNone(node, carried, frame) : allStacked(node, scanned));
    carried.insert(carried.end(), stacks.begin(), stacks.end());
    if (carried.size() < node.outputCount())
        return stopped(node, "slices that cannot be stacked");
    carried.resize(node.outputCount());
    return carried;
}

/// Runs while_loop([carried], [more]): the regions are the condition and the body, both of (carried…, more…).
Result<Values> whileLoop(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(auto inputs, frame.argumentsFrom(node, 0));
    if (node->regions.size() != 2 || inputs.size() < node.outputCount())
        return stopped(node, "a loop of an unknown form");
    for (;;) {
        CUTAWAY_TRY(const auto condition, frame.region(node->regions[0], inputs));
        const auto goesOn = condition.empty() ? std::nullopt : booleanOf(condition.front());
        if (!goesOn)
            return stopped(node, "a condition that is not known");
        if (!*goesOn)
            break;
        CUTAWAY_TRY(auto ends, frame.region(node->regions[1], inputs));
        if (ends.size() != node.outputCount())
            return stopped(node, "a loop that gives too little");
        std::ranges::move(ends, inputs.begin());
    }
    inputs.resize(node.outputCount());
    return inputs;
}

// ---- scans

struct ScanParts {
    Values states, scanned, more;
    /// One number for each scanned argument and each scanned result; 0 where the node names none.
    Sizes inputAxes, outputAxes, inputDirections, outputDirections;

    static std::int64_t at(const Sizes &list, std::size_t i) { return i < list.size() ? list[i] : 0; }
};

/// Returns the inputs of a scan's region in one iteration: the states, a slice of each tensor that is scanned, and
/// more. Errors: a tensor is not of this length.
Result<Values> scanInputs(const ir::NodeRef &node, const ScanParts &parts, const Values &states, std::int64_t iteration,
                          std::int64_t length)
{
    Values inputs = states;
    for (std::size_t k = 0; k < parts.scanned.size(); ++k) {
        const std::int64_t axis = ScanParts::at(parts.inputAxes, k);
        const bool isReversed = ScanParts::at(parts.inputDirections, k) != 0;
        auto slice = lengthAlong(parts.scanned[k], axis) == length
            ? sliceAt(parts.scanned[k], axis, isReversed ? length - 1 - iteration : iteration)
            : std::nullopt;
        if (!slice)
            return stopped(node, "tensors of different lengths are scanned");
        inputs.push_back(std::move(*slice));
    }
    inputs.insert(inputs.end(), parts.more.begin(), parts.more.end());
    return inputs;
}

Result<Values> scanOf(const ir::NodeRef &node, const ScanParts &parts, Frame &frame)
{
    const auto length =
        parts.scanned.empty() ? std::nullopt : lengthAlong(parts.scanned.front(), ScanParts::at(parts.inputAxes, 0));
    if (!length || *length < 1)
        return stopped(node, "a scan of unknown length");
    Values states = parts.states;
    std::vector<Values> slices;
    for (std::int64_t i = 0; i < *length; ++i) {
        CUTAWAY_TRY(const auto inputs, scanInputs(node, parts, states, i, *length));
        CUTAWAY_TRY(auto ends, frame.region(node->regions[0], inputs));
        if (ends.size() < states.size())
            return stopped(node, "a scan that gives too little");
        addSlices(slices, std::span(ends).subspan(states.size()));
        states.assign(ends.begin(), ends.begin() + std::ssize(states));
    }
    for (std::size_t k = 0; k < slices.size(); ++k) {
        if (ScanParts::at(parts.outputDirections, k) != 0)
            std::ranges::reverse(slices[k]);
        auto all = stacked(slices[k], ScanParts::at(parts.outputAxes, k));
        if (!all)
            return stopped(node, "slices that cannot be stacked");
        states.push_back(std::move(*all));
    }
    return states;
}

Sizes numbersAt(const ir::NodeRef &node, std::string_view name)
{
    const ir::Operand *given = node.argument(name);
    const auto *list = given ? given->as<ir::List>() : nullptr;
    Sizes sizes;
    for (const ir::Operand &item : list ? list->items : ir::RareList<ir::Operand>())
        sizes.push_back(item.as<std::int64_t>() ? *item.as<std::int64_t>() : 0);
    return sizes;
}

/// Reads the parts of an ONNX Scan, of whose inputs the last `count` are scanned.
ScanParts onnxParts(const ir::NodeRef &node, const Values &inputs, std::int64_t count)
{
    return {{inputs.begin(), inputs.end() - count},
            {inputs.end() - count, inputs.end()},
            {},
            numbersAt(node, "scan_input_axes"),
            numbersAt(node, "scan_output_axes"),
            numbersAt(node, "scan_input_directions"),
            numbersAt(node, "scan_output_directions")};
}

/// Runs a Scan before opset 9: each input has a batch dimension in front, and each item of the batch is scanned by
/// itself. Errors: the batch is not known; those of scanOf().
Result<Values> batchedScan(const ir::NodeRef &node, const Values &inputs, std::int64_t count, Frame &frame)
{
    const auto batches = inputs.empty() ? std::nullopt : lengthAlong(inputs.back(), 0);
    if (!batches || *batches < 1 || count > std::ssize(inputs))
        return stopped(node, "no batch");
    std::vector<Values> results(node.outputCount());
    for (std::int64_t i = 0; i < *batches; ++i) {
        Values own;
        for (const Value &input : inputs) {
            auto slice = sliceAt(input, 0, i);
            if (!slice)
                return stopped(node, "no batch");
            own.push_back(std::move(*slice));
        }
        ScanParts parts = onnxParts(node, own, count);
        parts.inputDirections = numbersAt(node, "directions");
        CUTAWAY_TRY(auto ends, scanOf(node, parts, frame));
        if (ends.size() != results.size())
            return stopped(node, "a scan that gives too little");
        addSlices(results, ends);
    }
    return allStacked(node, results);
}

/// Runs Scan(state…, scanned…) with num_scan_inputs. Before opset 9 its first input has the lengths of the sequences.
Result<Values> onnxScan(const ir::NodeRef &node, Frame &frame)
{
    const ir::Operand *given = node.argument("num_scan_inputs");
    const auto *count = given ? given->as<std::int64_t>() : nullptr;
    Values inputs;
    for (std::size_t i = 0; i < node.inputCount(); ++i) {
        CUTAWAY_TRY(auto value, frame.valueOf(*node.input(i)));
        inputs.push_back(std::move(value));
    }
    if (!count || *count < 1 || *count > std::ssize(inputs) || node->regions.size() != 1)
        return stopped(node, "it does not say how much it scans");
    if (ir::opsetIn(frame.program().model, node.graph(), node.dialect()) >= 9)
        return scanOf(node, onnxParts(node, inputs, *count), frame);
    if (!isNone(inputs.front()))
        return stopped(node, "sequences of different lengths");
    inputs.erase(inputs.begin());
    return batchedScan(node, inputs, *count, frame);
}

/// Returns the values of a list of operands, or of one operand that is a list.
Result<Values> listAt(const ir::NodeRef &node, std::size_t position, Frame &frame)
{
    Values values;
    const auto *list = position < node->arguments.size() ? node->arguments[position].value.as<ir::List>() : nullptr;
    for (const ir::Operand &item : list ? list->items : ir::RareList<ir::Operand>()) {
        CUTAWAY_TRY(auto value, frame.valueOf(item));
        values.push_back(std::move(value));
    }
    return values;
}

/// Runs scan([state], [scanned], [more]).
Result<Values> exportedScan(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(auto states, listAt(node, 0, frame));
    CUTAWAY_TRY(auto scanned, listAt(node, 1, frame));
    CUTAWAY_TRY(auto more, frame.argumentsFrom(node, 2));
    // In PyTorch 2.6 the dimension and the direction come before the further tensors.
    std::erase_if(more, [](const Value &value) { return value.as<ops::Fact>() != nullptr; });
    return scanOf(node, {std::move(states), std::move(scanned), std::move(more), {}, {}, {}, {}}, frame);
}

/// Runs associative_scan([scanned], [more]): the region combines (one…, other…, more…).
Result<Values> associativeScan(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(const auto scanned, listAt(node, 0, frame));
    CUTAWAY_TRY(const auto more, listAt(node, 1, frame));
    const auto length = scanned.empty() ? std::nullopt : lengthAlong(scanned.front(), 0);
    if (!length || *length < 1)
        return stopped(node, "a scan of unknown length");
    Values last;
    std::vector<Values> results;
    for (std::int64_t i = 0; i < *length; ++i) {
        Values next;
        for (const Value &value : scanned)
            next.push_back(sliceAt(value, 0, i).value_or(Value()));
        if (i > 0) {
            Values inputs = std::move(last);
            inputs.insert(inputs.end(), next.begin(), next.end());
            inputs.insert(inputs.end(), more.begin(), more.end());
            CUTAWAY_TRY(next, frame.region(node->regions[0], inputs));
            if (next.size() != scanned.size())
                return stopped(node, "a scan that gives too little");
        }
        last = next;
        addSlices(results, next);
    }
    return allStacked(node, results);
}

Result<Values> scan(const ir::NodeRef &node, Frame &frame)
{
    if (node->regions.size() != 1)
        return stopped(node, "a scan of an unknown form");
    if (node.isOnnx())
        return onnxScan(node, frame);
    // scan([state], [scanned], …, [more]); associative_scan([scanned], [more])
    return node->arguments.size() > 2 ? exportedScan(node, frame) : associativeScan(node, frame);
}

/// Runs map([over], [more]): the region gets one slice of each tensor that is mapped over.
Result<Values> map(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(auto over, listAt(node, 0, frame));
    CUTAWAY_TRY(auto more, frame.argumentsFrom(node, 1));
    return scanOf(node, {{}, std::move(over), std::move(more), {}, {}, {}, {}}, frame);
}

/// Runs SequenceMap(sequence, more…): the region gets an item of each sequence, and other tensors as they are.
Result<Values> sequenceMap(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(const auto inputs, frame.argumentsFrom(node, 0));
    const auto *first = inputs.empty() ? nullptr : inputs.front().as<Values>();
    if (!first || node->regions.size() != 1)
        return stopped(node, "its sequence is not known");
    std::vector<Values> results(node.outputCount());
    for (std::size_t i = 0; i < first->size(); ++i) {
        Values own;
        for (const Value &input : inputs) {
            const auto *items = input.as<Values>();
            if (items && i >= items->size())
                return stopped(node, "sequences of different lengths");
            own.push_back(items ? (*items)[i] : input);
        }
        CUTAWAY_TRY(auto ends, frame.region(node->regions[0], own));
        if (ends.size() != results.size())
            return stopped(node, "it gives too little");
        addSlices(results, ends);
    }
    Values lists;
    for (Values &items : results)
        lists.emplace_back(std::move(items));
    return lists;
}

/// Computes code that runs once in its place: no-grad blocks, checkpoints, groups that passes made, forks.
Result<Values> inlined(const ir::NodeRef &node, Frame &frame)
{
    CUTAWAY_TRY(const auto inputs, frame.argumentsFrom(node, 0));
    const std::size_t wanted = node.region(0).inputs.size();
    if (inputs.size() < wanted)
        return stopped(node, "it is given too little");
    return frame.region(node->regions[0], std::span(inputs).last(wanted));
}

/// Runs wrap_with_autocast(device, dtype, enabled, cache, …).
Result<Values> autocast(const ir::NodeRef &node, Frame &frame)
{
    std::vector<ops::Fact> given;
    for (std::size_t i = 0; i < 3 && i < node->arguments.size(); ++i) {
        const auto value = frame.valueOf(node->arguments[i].value);
        given.push_back(value ? compute::factOf(*value) : ops::Fact());
    }
    given.resize(3);
    ops::Autocast autocast(given[0], given[1], given[2]);
    if (!autocast.isEnabled)
        return stopped(node, "it is not known whether autocast is enabled");
    Evaluator &evaluator = frame.program().evaluator;
    const auto around = evaluator.autocast();
    evaluator.setAutocast(*autocast.isEnabled ? std::optional(std::move(autocast)) : std::nullopt);
    auto results = inlined(node, frame);
    evaluator.setAutocast(around);
    return results;
}

struct Construct {
    ops::OperatorKind kind;
    Result<Values> (*run)(const ir::NodeRef &node, Frame &frame);
};

constexpr std::array constructs{
    Construct{ops::kind::ifElse, branch},
    Construct{ops::kind::cond, branch},
    Construct{ops::kind::loop, loop},
    Construct{ops::kind::whileLoop, whileLoop},
    Construct{ops::kind::scan, scan},
    Construct{ops::kind::map, map},
    Construct{ops::kind::sequenceMap, sequenceMap},
    Construct{ops::kind::wrapWithAutocast, autocast},
};

} // namespace

std::optional<Result<Values>> runRegions(const ir::NodeRef &node, Frame &frame)
{
    const auto found = std::ranges::find(constructs, ops::kindOf(node), &Construct::kind);
    if (found != constructs.end())
        return found->run(node, frame);
    const ops::Operator *row = ops::findOperator(node.dialect(), node.opName());
    const ops::OperatorKind kind = ops::kindOf(node);
    const bool isGroup = node.dialect() == "cutaway"; // a pass has made the group
    const bool isInlined = node->regions.size() == 1
        && (isGroup || kind == ops::kind::fork || kind == ops::kind::wrapWithSetGrad
            || (row && row->traits.runsRegionOnce));
    return isInlined ? std::optional(inlined(node, frame)) : std::nullopt;
}

} // namespace cutaway::evaluate
