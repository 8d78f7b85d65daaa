// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ops/facts/dim_arithmetic.h"
#include "core/rules/rules.h"

#include <algorithm>

namespace cutaway::rules::to_onnx { // between versions

namespace {

using ir::Operand;
using Numbers = VersionChange::Numbers;

// ---- attributes that became inputs

constexpr std::string_view areComputed = "its {} are computed while the model runs";

/// Makes an attribute of integers the last input.
void toInput(VersionChange &change, std::string_view attribute)
{
    const auto numbers = change.knownIntegers(attribute);
    if (change.has(attribute) && !numbers)
        return change.reject(formatted("its {} are no numbers", attribute));
    change.dropAttribute(attribute);
    if (numbers)
        change.setInputs({change.input(0), change.constant(*numbers)});
}

/// Makes the second input an attribute.
void toAttribute(VersionChange &change, std::string_view attribute)
{
    if (!change.has(1))
        return;
    const auto numbers = change.knownIntegers(1);
    if (!numbers)
        return change.reject(
            formatted("its {} {} computed while the model runs", attribute, attribute == "split" ? "is" : "are"));
    change.setInputs({change.input(0)});
    change.setAttribute(attribute, VersionChange::list(*numbers));
}

void axesToInput(VersionChange &change) { toInput(change, "axes"); }

/// Makes the axes an attribute. Without axes all are reduced, or none with noop_with_empty_axes.
void reducedAxesToAttribute(VersionChange &change)
{
    const bool isNoop = change.integer("noop_with_empty_axes", 0) != 0;
    const auto axes = change.knownIntegers(1);
    if (change.has(1) && !axes)
        return change.reject(formatted(areComputed, "axes"));
    const bool hasAxes = axes && !axes->empty();
    if (!hasAxes && isNoop) {
        change.replaceBy(change.make("Identity", {change.input(0)}, {}, change.tensor(0)));
        return;
    }
    change.dropAttribute("noop_with_empty_axes");
    change.setInputs({change.input(0)});
    if (hasAxes)
        change.setAttribute("axes", VersionChange::list(*axes));
}

void axesToAttribute(VersionChange &change) { toAttribute(change, "axes"); }
void splitToInput(VersionChange &change) { toInput(change, "split"); }
void splitToAttribute(VersionChange &change) { toAttribute(change, "split"); }

// ---- axes that count from the end

/// Returns an axis that counts from the front; nothing if it has to be converted and the rank is not known.
std::optional<std::int64_t> fromFront(std::int64_t axis, std::optional<std::size_t> rank)
{
    if (axis >= 0)
        return axis;
    return rank ? std::optional(axis + static_cast<std::int64_t>(*rank)) : std::nullopt;
}

void axesFromFront(VersionChange &change, std::optional<std::size_t> rank)
{
    constexpr std::string_view unknown = "an axis counts from the end, and the rank is not known";
    if (const std::int64_t axis = change.integer("axis", 0); axis < 0) {
        const auto counted = fromFront(axis, rank);
        if (!counted)
            return change.reject(std::string(unknown));
        change.setAttribute("axis", *counted);
    }
    if (auto axes = change.knownIntegers("axes"); axes && std::ranges::any_of(*axes, [](auto n) { return n < 0; })) {
        for (std::int64_t &axis : *axes) {
            const auto counted = fromFront(axis, rank);
            if (!counted)
                return change.reject(std::string(unknown));
            axis = *counted;
        }
        change.setAttribute("axes", VersionChange::list(*axes));
    }
}

void axisFromFront(VersionChange &change) { axesFromFront(change, change.knownRank(0)); }

/// Makes the axis count from the front, unless it is -1: the older version has -1 as its default, too.
void lastAxisStays(VersionChange &change)
{
    if (change.integer("axis", -1) != -1)
        axisFromFront(change);
}

void resultAxisFromFront(VersionChange &change)
{
    const auto fact = change.result();
    return axesFromFront(change, fact && fact->shape ? std::optional(fact->shape->size()) : std::nullopt);
}

// ---- pads

void padsToInput(VersionChange &change)
{
    const auto pads = change.knownIntegers("pads");
    const double value = change.number("value", 0);
    if (!pads)
        return change.reject("its pads are not known");
    std::vector<Operand> inputs{change.input(0), change.constant(*pads)};
    if (value != 0) {
        const ir::DType dtype = change.dtype(0);
        if (change.isRefused())
            return;
        inputs.push_back(change.scalar(dtype, value));
    }
    change.dropAttribute("pads");
    change.dropAttribute("value");
    change.setInputs(std::move(inputs));
}

void padsToAttribute(VersionChange &change)
{
    const auto pads = change.knownIntegers(1);
    const auto value = change.knownReals(2);
    if (!pads)
        return change.reject(formatted(areComputed, "pads"));
    if (change.has(2) && (!value || value->size() != 1))
        return change.reject(formatted(areComputed, "values"));
    if (value && !isFloat32(value->front()))
        return change.reject("its value is no float32, which an attribute is");
    change.setInputs({change.input(0)});
    change.setAttribute("pads", VersionChange::list(*pads));
    if (value && value->front() != 0)
        change.setAttribute("value", value->front());
}

/// Makes pads of some axes pads of all axes.
void padsOfAllAxes(VersionChange &change)
{
    if (!change.has(3))
        return;
    const auto pads = change.knownIntegers(1), axes = change.knownIntegers(3);
    const auto rank = change.knownRank(0);
    if (!pads || !axes || !rank || pads->size() != 2 * axes->size())
        return change.reject("its pads or axes are computed while the model runs, or the rank is not known");
    Numbers all(2 * *rank);
    for (std::size_t i = 0; i < axes->size(); ++i) {
        const auto axis = ops::dimension((*axes)[i], *rank);
        if (!axis)
            return change.reject("an axis is out of range");
        all[*axis] = (*pads)[i];
        all[*axis + *rank] = (*pads)[i + axes->size()];
    }
    change.setInputs({change.input(0), change.constant(all), change.input(2)});
}

void doesNotWrap(VersionChange &change)
{
    if (change.text("mode", "constant") == "wrap")
        change.reject("opset 18 has no mode 'wrap' of it");
}

// ---- slices

void sliceToInputs(VersionChange &change)
{
    const auto starts = change.knownIntegers("starts"), ends = change.knownIntegers("ends"),
               axes = change.knownIntegers("axes");
    if (!starts || !ends)
        return change.reject("its starts and ends are not known");
    std::vector<Operand> inputs{change.input(0), change.constant(*starts), change.constant(*ends)};
    if (axes)
        inputs.push_back(change.constant(*axes));
    for (const std::string_view attribute : {"starts", "ends", "axes"})
        change.dropAttribute(attribute);
    change.setInputs(std::move(inputs));
}

void sliceToAttributes(VersionChange &change)
{
    const auto starts = change.knownIntegers(1), ends = change.knownIntegers(2), axes = change.knownIntegers(3),
               steps = change.knownIntegers(4);
    if (!starts || !ends || (change.has(3) && !axes))
        return change.reject(formatted(areComputed, "starts, ends or axes"));
    if (change.has(4) && (!steps || std::ranges::any_of(*steps, [](std::int64_t n) { return n != 1; })))
        return change.reject("it has steps");
    change.setInputs({change.input(0)});
    change.setAttribute("starts", VersionChange::list(*starts));
    change.setAttribute("ends", VersionChange::list(*ends));
    if (axes)
        change.setAttribute("axes", VersionChange::list(*axes));
}

void sliceAxesFromFront(VersionChange &change)
{
    if (!change.has(3))
        return;
    auto axes = change.knownIntegers(3);
    if (!axes)
        return change.reject(formatted(areComputed, "axes"));
    if (std::ranges::none_of(*axes, [](std::int64_t n) { return n < 0; }))
        return;
    for (std::int64_t &axis : *axes) {
        const auto counted = fromFront(axis, change.knownRank(0));
        if (!counted)
            return change.reject("an axis counts from the end, and the rank is not known");
        axis = *counted;
    }
    std::vector<Operand> inputs = change.inputs();
    // All index inputs have one dtype.
    inputs[3] = change.tensorOf(change.knownDType(3).value_or(ir::DType::Int64), {std::ssize(*axes)}, *axes);
    change.setInputs(std::move(inputs));
}

// ---- splits

/// Writes the number of parts as an attribute, which opset 18 wants where the node gives no sizes; opset 13 divides
/// into one part per result.
void namesSplitCount(VersionChange &change)
{
    if (!change.has(1))
        change.setAttribute("num_outputs", static_cast<std::int64_t>(change.resultCount()));
}

/// Removes the number of parts. If the last part is smaller, opset 13 needs sizes.
void dropsSplitCount(VersionChange &change)
{
    const auto parts = static_cast<std::int64_t>(change.resultCount());
    if (change.has(1) || !change.has("num_outputs"))
        return;
    const auto rank = change.knownRank(0);
    const auto axis = rank ? ops::dimension(change.integer("axis", 0), *rank) : std::nullopt;
    const auto size = axis ? change.size(0, *axis) : std::nullopt;
    if (!size)
        return change.reject("the size that it divides is not known");
    change.dropAttribute("num_outputs");
    if (*size % parts != 0) {
        const std::int64_t each = *size / parts + 1;
        if (*size / each < parts - 1)
            return change.reject("its parts are more than there are elements");
        Numbers sizes(static_cast<std::size_t>(parts), each);
        sizes.back() = *size - each * (parts - 1);
        change.setInputs({change.input(0), change.constant(sizes)});
    }
}

// ---- others

void countToInput(VersionChange &change)
{
    const std::int64_t k = change.integer("k");
    if (change.isRefused())
        return;
    change.dropAttribute("k");
    change.setInputs({change.input(0), change.constant({k})});
}

void countToAttribute(VersionChange &change)
{
    const auto k = change.knownIntegers(1);
    if (!k || k->size() != 1)
        return change.reject("its k is computed while the model runs");
    change.setInputs({change.input(0)});
    change.setAttribute("k", k->front());
}

/// Replaces a Shape with a start and an end by a slice of the vector of all sizes.
void sliceOfShape(VersionChange &change)
{
    constexpr std::int64_t farthest = std::numeric_limits<std::int64_t>::max();
    const std::int64_t start = change.integer("start", 0), end = change.integer("end", farthest);
    if (start == 0 && !change.has("end")) {
        change.dropAttribute("start");
        return;
    }
    const Operand shape =
        change.make("Shape", {change.input(0)}, {}, ops::tensorFact(ir::DType::Int64, ir::Shape{ir::UnknownDim{}}));
    change.replaceBy(change.make(
        "Slice", {shape, change.constant({start}), change.constant({end}), change.constant({0})}, {}, change.result()));
}

void toScatterElements(VersionChange &change) { change.setOperator("ScatterElements"); }

void toScatter(VersionChange &change)
{
    change.setOperator("Scatter");
    return axisFromFront(change);
}

/// Refuses the reductions max and min, which came with opset 18; add and mul came with opset 16.
void addsOrMultiplies(VersionChange &change)
{
    const std::string_view reduction = change.text("reduction", "none");
    if (reduction == "max" || reduction == "min")
        change.reject(formatted("opset 17 has no reduction '{}' of it", reduction));
}

/// Refuses indices that may be negative: opset 9 makes no element "on" for those, and opset 11 counts from the end.
void hasNoNegativeIndices(VersionChange &change)
{
    const auto indices = change.knownIntegers(0);
    if (!indices || std::ranges::any_of(*indices, [](std::int64_t n) { return n < 0; }))
        change.reject("its indices may be negative, which means something else from opset 11 on");
}

/// Refuses branches whose results have different shapes: before opset 11 both branches have to return the same shapes.
void branchesOfOneShape(VersionChange &change)
{
    if (change.node()->regions.size() != 2)
        return;
    const auto first = change.given(0), second = change.given(1);
    for (std::size_t i = 0; i < first.size() && i < second.size(); ++i)
        if (first[i] && second[i] && first[i]->shape && second[i]->shape
            && !std::ranges::equal(*first[i]->shape, *second[i]->shape,
                                   [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); }))
            return change.reject(formatted("branches of two shapes, here {} and {}, are there from opset 11 on",
                                           ir::print(*first[i]->shape), ir::print(*second[i]->shape)));
}

void isOtherLoop(VersionChange &change) { change.reject("opset 8 has it with a batch, opset 9 without"); }

void axisToInput(VersionChange &change)
{
    const std::int64_t axis = change.integer("axis", 1);
    change.dropAttribute("axis");
    change.setInputs({change.input(0), change.input(1), change.tensorOf(ir::DType::Int64, {}, Numbers{axis})});
}

void axisToAttribute(VersionChange &change)
{
    const auto given = change.knownIntegers(2);
    if (change.has(2) && (!given || given->size() != 1))
        return change.reject("its axis is computed while the model runs");
    const auto axis = fromFront(given ? given->front() : -2, change.knownRank(0));
    if (!axis)
        return change.reject("its axis counts from the end, and the rank is not known");
    change.setInputs({change.input(0), change.input(1)});
    change.setAttribute("axis", *axis);
}

constexpr VersionRow shapeVersions[] = {
    {"onnx::ReduceSum", 13, axesToInput, reducedAxesToAttribute},
    {"onnx::ReduceL1 onnx::ReduceL2 onnx::ReduceLogSum onnx::ReduceLogSumExp onnx::ReduceMax onnx::ReduceMean "
     "onnx::ReduceMin onnx::ReduceProd onnx::ReduceSumSquare",
     18, axesToInput, reducedAxesToAttribute},
    {"onnx::Squeeze onnx::Unsqueeze", 13, axesToInput, axesToAttribute},
    {"onnx::Split", 13, splitToInput, splitToAttribute},
    {"onnx::Split", 18, namesSplitCount, dropsSplitCount},
    {"onnx::ArgMax onnx::ArgMin onnx::Compress onnx::Concat onnx::Gather onnx::Split onnx::Squeeze onnx::ReduceL1 "
     "onnx::ReduceL2 onnx::ReduceLogSum onnx::ReduceLogSumExp onnx::ReduceMax "
     "onnx::ReduceMean onnx::ReduceMin onnx::ReduceProd onnx::ReduceSum onnx::ReduceSumSquare",
     11, nullptr, axisFromFront},
    {"onnx::Flatten", 11, nullptr, axisFromFront},
    {"onnx::Unsqueeze", 11, nullptr, resultAxisFromFront},
    {"onnx::TopK", 11, nullptr, lastAxisStays},
    {"onnx::OneHot", 11, hasNoNegativeIndices, hasNoNegativeIndices},
    {"onnx::Slice", 11, nullptr, sliceAxesFromFront},
    {"onnx::Slice", 10, sliceToInputs, sliceToAttributes},
    {"onnx::Pad", 11, padsToInput, padsToAttribute},
    {"onnx::Pad", 18, nullptr, padsOfAllAxes},
    {"onnx::Pad", 19, nullptr, doesNotWrap},
    {"onnx::TopK", 10, countToInput, countToAttribute},
    {"onnx::Shape", 15, nullptr, sliceOfShape},
    {"onnx::Scatter", 11, toScatterElements, nullptr},
    {"onnx::ScatterElements", 11, nullptr, toScatter},
    {"onnx::ScatterElements onnx::ScatterND", 18, nullptr, addsOrMultiplies},
    {"onnx::If", 11, nullptr, branchesOfOneShape},
    {"onnx::Scan", 9, isOtherLoop, isOtherLoop},
    {"onnx::DFT", 20, axisToInput, axisToAttribute},
};

} // namespace

} // namespace cutaway::rules::to_onnx

namespace cutaway::rules {

Family shapeVersions() { return {.versions = to_onnx::shapeVersions}; }

} // namespace cutaway::rules
