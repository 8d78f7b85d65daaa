// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/rules/regions.h"

#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ir/context.h"
#include "core/ir/dtype.h"
#include "core/ops/onnx_versions.h"
#include "core/ops/program/control_flow.h"

#include <algorithm>

namespace cutaway::lint {

namespace {

constexpr std::int64_t firstScanWithoutBatch = 9;

/// How the inputs and outputs of a node with a body correspond to those of the body.
struct Body {
    const ir::Region &region;
    std::size_t given;      ///< number of the body's inputs
    std::size_t made;       ///< number of the body's outputs
    std::size_t states;     ///< number of states: values that each iteration passes to the next
    std::size_t firstInput; ///< the index of the first state among the node's inputs
    std::size_t beforeMade; ///< number of the body's outputs before the states
};

bool isOf(Subject &subject, const ir::NodeRef &node, ops::OperatorKind kind)
{
    return subject.reader().kind(node) == kind;
}

std::optional<Body> bodyOf(Subject &subject, const ir::NodeRef &node, std::int64_t opset)
{
    if (node->regions.size() != 1)
        return std::nullopt;
    if (isOf(subject, node, ops::kind::loop)) { // (limit, condition, state…), the body (iteration, condition, state…)
        const std::size_t states = std::max<std::size_t>(node.inputCount(), 2) - 2;
        return Body{node.region(0), 2 + states, 1 + node.outputCount(), states, 2, 1};
    }
    const auto scanned = subject.reader().call(node).integer("num_scan_inputs");
    if (!isOf(subject, node, ops::kind::scan) || opset < firstScanWithoutBatch || !scanned || *scanned < 0
        || *scanned > static_cast<std::int64_t>(node.inputCount()))
        return std::nullopt;
    const std::size_t states = node.inputCount() - static_cast<std::size_t>(*scanned);
    return Body{node.region(0), node.inputCount(), node.outputCount(), states, 0, 0};
}

/// Returns the derived fact of a value; in a loop's body, that of the last iteration. If nothing is derived, returns
/// the fact that the file records.
ops::Fact factOf(Subject &subject, const ir::Operand &operand)
{
    const auto *value = operand.as<ir::ValueId>();
    const std::vector<ops::Fact> &facts = subject.analysis().shapes.facts;
    const bool isKnown = value && value->index < facts.size() && !facts[value->index].as<ops::AnyFact>();
    return isKnown ? facts[value->index] : subject.reader().fact(operand);
}

std::optional<char> letterOf(Subject &subject, const ir::Operand &operand)
{
    return ops::onnxTypeLetter(factOf(subject, operand));
}

/// Reports results of an If whose branches give different types.
void checkBranchTypes(Subject &subject, const ir::NodeRef &node)
{
    const auto &then = node.region(0).outputs, &orElse = node.region(1).outputs;
    for (std::size_t i = 0; i < std::min(then.size(), orElse.size()); ++i) {
        const auto first = letterOf(subject, then[i]), second = letterOf(subject, orElse[i]);
        if (first && second && *first != *second)
            subject.report(
                node, formatted("the branches give {} and {} as result {}", typeOf(*first), typeOf(*second), i + 1));
    }
}

/// Returns the dtype that the file records for an input of the body.
std::optional<ir::DType> recordedDType(const ir::NodeRef &node, ir::ValueId input)
{
    const auto *type = ir::ValueRef(node.graph(), input).tensorType();
    return type ? type->dtype : std::nullopt;
}

void checkLoopHead(Subject &subject, const ir::NodeRef &node, const Body &body)
{
    constexpr std::pair<std::string_view, ir::DType> inputs[] = {{"number of the iteration", ir::DType::Int64},
                                                                 {"condition", ir::DType::Bool}};
    for (std::size_t i = 0; i < std::min(body.region.inputs.size(), std::size(inputs)); ++i)
        if (const auto recorded = recordedDType(node, body.region.inputs[i]); recorded && *recorded != inputs[i].second)
            return subject.report(node,
                                  formatted("the {} is {} in the body, expected is {}", inputs[i].first,
                                            ir::name(*recorded), ir::name(inputs[i].second)));
    const auto type = body.region.outputs.empty() ? std::nullopt : letterOf(subject, body.region.outputs.front());
    const auto boolean = ir::numberOf(ir::DType::Bool, ir::Numbering::Onnx);
    if (type && boolean && *type != static_cast<char>('a' - 1 + *boolean))
        subject.report(node, formatted("the condition is {} in the body, expected is bool", typeOf(*type)));
}

void checkStates(Subject &subject, const ir::NodeRef &node, const Body &body)
{
    const bool keepsShape = isOf(subject, node, ops::kind::scan);
    for (std::size_t i = 0; i < body.states; ++i) {
        const ir::Operand *first = node.input(body.firstInput + i);
        const std::size_t at = body.beforeMade + i;
        if (!first || at >= body.region.outputs.size())
            return;
        const ir::Operand &next = body.region.outputs[at];
        const auto type = letterOf(subject, *first), madeType = letterOf(subject, next);
        if (type && madeType && *type != *madeType)
            return subject.report(node,
                                  formatted("the state {} is {} at first, and the body makes {} of it", i + 1,
                                            typeOf(*type), typeOf(*madeType)));
        const ops::Fact given = factOf(subject, *first), made = factOf(subject, next);
        const ops::TensorFact *before = ops::asTensor(given), *after = ops::asTensor(made);
        if (!keepsShape || !before || !after || !before->shape || !after->shape)
            continue;
        if (!std::ranges::equal(*before->shape, *after->shape,
                                [](const ir::Dim &a, const ir::Dim &b) { return !ops::isDifferent(a, b); }))
            return subject.report(node,
                                  formatted("the state {} is {} at first, and the body makes {} of it", i + 1,
                                            ir::print(*before->shape), ir::print(*after->shape)));
    }
}

bool isBranch(Subject &subject, const ir::NodeRef &node)
{
    return isOf(subject, node, ops::kind::ifElse) && node->regions.size() == 2;
}

} // namespace

std::string dtypesOf(std::string_view letters)
{
    std::vector<std::string_view> names;
    for (const char letter : letters)
        if (letter == 'S')
            names.emplace_back("sequences");
        else if (letter == 'O')
            names.emplace_back("optional values");
        else if (const auto dtype = ir::dtypeFromNumber(letter - 'a' + 1, ir::Numbering::Onnx))
            names.push_back(ir::name(*dtype));
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += formatted("{}{}", i == 0 ? "" : i + 1 == names.size() ? " and " : ", ", names[i]);
    return text;
}

void checkRegionCounts(Subject &subject, const ir::NodeRef &node, std::int64_t opset)
{
    if (isBranch(subject, node)) {
        for (const std::size_t i : {0U, 1U})
            if (const ir::Region &region = node.region(i); !region.inputs.empty())
                return subject.report(node, formatted("a branch with {}", quantity(region.inputs.size(), "input")));
            else if (region.outputs.size() != node.outputCount())
                return subject.report(node,
                                      formatted("a branch gives {}, the node {}",
                                                quantity(region.outputs.size(), "result"), node.outputCount()));
        return;
    }
    const auto body = bodyOf(subject, node, opset);
    if (body && body->region.inputs.size() != body->given)
        subject.report(node,
                       formatted("the body has {}, expected {} {}", quantity(body->region.inputs.size(), "input"),
                                 body->given == 1 ? "is" : "are", body->given));
    else if (body && body->region.outputs.size() != body->made)
        subject.report(node,
                       formatted("the body gives {}, expected {} {}", quantity(body->region.outputs.size(), "result"),
                                 body->made == 1 ? "is" : "are", body->made));
}

void checkRegionTypes(Subject &subject, const ir::NodeRef &node, std::int64_t opset)
{
    if (isBranch(subject, node))
        return checkBranchTypes(subject, node);
    const auto body = bodyOf(subject, node, opset);
    if (!body)
        return;
    if (isOf(subject, node, ops::kind::loop))
        checkLoopHead(subject, node, *body);
    checkStates(subject, node, *body);
}

} // namespace cutaway::lint
