// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ir/opsets.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/lint/rules/families.h"
#include "core/lint/rules/regions.h"
#include "core/lint/subject.h"
#include "core/ops/onnx_versions.h"
#include "core/ops/schemas/onnx_inputs.h"

#include <algorithm>
#include <map>

namespace cutaway::lint {

namespace {

using Opsets = std::map<std::string, std::int64_t, std::less<>>;

std::string_view domainOf(std::string_view dialect) { return dialect == "onnx" ? "ai.onnx" : dialect; }

/// Returns the opsets that the function itself imports, as ONNX's local functions do, else those of the model.
Opsets opsetsOf(const Subject &subject)
{
    const auto own = ir::importsOf(subject.model(), subject.function());
    const ir::OpsetImports &imports = own ? *own : subject.model().opsets;
    return {imports.begin(), imports.end()};
}

bool isOnnxFile(const Subject &subject) { return ir::isOnnx(subject.model()); }

/// Returns the version of ONNX's default operator set that the function imports; nothing if it imports none.
std::optional<std::int64_t> ownOpset(const Subject &subject)
{
    const Opsets opsets = opsetsOf(subject);
    const auto standard = opsets.find("ai.onnx");
    return isOnnxFile(subject) && standard != opsets.end() ? std::optional(standard->second) : std::nullopt;
}

/// Visits the nodes of ONNX's own operators, each with the opset and with the operator's version in that opset; nullptr
/// if the opset does not have the operator.
template <class Visit>
void forEachStandardNode(Subject &subject, const Visit &visit)
{
    const auto opset = ownOpset(subject);
    for (const ir::NodeRef &node : opset ? subject.nodes() : std::vector<ir::NodeRef>())
        if (node.dialect() == "onnx")
            visit(node, *opset, ops::onnxVersionIn(node.opName(), *opset));
}

void checkOperators(Subject &subject)
{
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        if (const auto reason = ops::whyNotInOpset(node.opName(), opset))
            subject.report(node, *reason);
        else if (version && version->deprecated && ops::onnxVersionIn(node.opName(), version->since - 1))
            subject.report(node,
                           formatted("ONNX has taken out the operator {} with opset {}, and this model is of opset {}",
                                     node.opName(), version->since, opset));
    });
}

void checkForms(Subject &subject)
{
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        const auto excess = version && !version->deprecated ? ops::excessOf(node, *version) : std::nullopt;
        if (excess)
            subject.report(node,
                           formatted("a {} with {}, which opset {} does not have", node.opName(), *excess, opset));
        const auto *types = version && !version->deprecated ? ops::onnxTypesIn(node.opName(), opset) : nullptr;
        if (const auto wrong =
                types && types->since == version->since ? ops::wrongAttribute(node, *types) : std::nullopt)
            subject.report(node, *wrong);
        checkRegionCounts(subject, node, opset);
    });
}

/// Reports operators that differ between the opset of a function and that of the model: ONNX lets a function have
/// another opset only if its operators are the same in both.
void checkFunctions(Subject &subject)
{
    const auto &opsets = subject.model().opsets;
    const auto ofModel = std::ranges::find(opsets, "ai.onnx", &std::pair<std::string, std::int64_t>::first);
    if (ofModel == opsets.end())
        return;
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        const ops::OnnxOperator *other = ops::onnxVersionIn(node.opName(), ofModel->second);
        if (version && other && version->since != other->since)
            subject.report(node,
                           formatted("the function is of opset {} and the model of {}, and {} is another operator from "
                                     "opset {} on",
                                     opset, ofModel->second, node.opName(), std::max(version->since, other->since)));
    });
}

// ---- Element types

/// Returns the name of an input, "A", or its position, "2", if ONNX has no name for it.
std::string inputName(const ir::NodeRef &node, std::int64_t opset, std::size_t position)
{
    const std::string_view name = ops::onnxInputName(node.opName(), opset, position);
    return name.empty() ? formatted("{}", position + 1) : std::string(name);
}

/// Returns the names of two inputs, "A and B"; "1 and 3" if both belong to one variadic input.
std::string inputNames(const ir::NodeRef &node, std::int64_t opset, std::size_t a, std::size_t b)
{
    const std::string first = inputName(node, opset, a), second = inputName(node, opset, b);
    return first == second ? formatted("{} and {}", a + 1, b + 1) : formatted("{} and {}", first, second);
}

/// The input that decided a type parameter, which other inputs have to match.
struct Bound {
    std::size_t input = 0;
    char type = '\0';
};

void checkInputTypes(Subject &subject, const ir::NodeRef &node, std::int64_t opset, const ops::OnnxTypes &types)
{
    std::map<char, Bound> bound;
    for (std::size_t i = 0; i < node.inputCount(); ++i) {
        const std::string_view taken = types.input(i);
        const auto type = taken.empty() ? std::nullopt : ops::onnxTypeLetter(subject.reader().fact(*node.input(i)));
        if (!type)
            continue;
        if (!taken.contains(*type))
            return subject.report(node,
                                  formatted("the input {} is {}, and {} of opset {} takes {}",
                                            inputName(node, opset, i), typeOf(*type), node.opName(), opset,
                                            dtypesOf(taken)));
        const auto variable = ops::sharedType(taken);
        if (!variable)
            continue;
        const auto &[first, known] = bound.try_emplace(*variable, Bound{i, *type}).first->second;
        if (known != *type)
            return subject.report(node,
                                  formatted("the inputs {} are {} and {}, and {} takes them of one type",
                                            inputNames(node, opset, first, i), typeOf(known), typeOf(*type),
                                            node.opName()));
    }
}

void checkElementTypes(Subject &subject)
{
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        const ops::OnnxTypes *types = ops::onnxTypesIn(node.opName(), opset);
        if (version && !version->deprecated && types && types->since == version->since)
            checkInputTypes(subject, node, opset, *types);
        checkRegionTypes(subject, node, opset);
    });
}

void checkDomains(Subject &subject)
{
    if (!isOnnxFile(subject))
        return;
    const Opsets opsets = opsetsOf(subject);
    std::map<std::string_view, std::pair<ir::NodeId, std::size_t>> missing;
    for (const ir::NodeRef &node : subject.nodes())
        if (const std::string_view domain = domainOf(node.dialect()); !opsets.contains(domain))
            ++missing.try_emplace(domain, node.id(), 0).first->second.second;
    for (const auto &[domain, uses] : missing)
        subject.report(ir::NodeRef(subject.graph(), uses.first),
                       formatted("the model imports no opset of the domain {}, of which it has {}", domain,
                                 quantity(uses.second, "node")));
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule opsetRows[] = {
    {"opset-operator", Error, "An ONNX operator that the model's opset does not have, or no longer.", ByDefault,
     Function, checkOperators},
    {"opset-form", Error,
     "An ONNX node with inputs, outputs or attributes that its operator does not have in this opset.", ByDefault,
     Function, checkForms},
    {"opset-function", Error, "A function of another opset than the model, in which an operator of it is another.",
     ByDefault, Function, checkFunctions},
    {"element-type", Error,
     "Element types that an ONNX operator does not take, or does not take together, or a state does not keep.",
     ByDefault, Function, checkElementTypes},
    {"opset-missing", Error, "A domain of operators whose version the ONNX model does not import.", ByDefault, Function,
     checkDomains},
};

} // namespace

std::span<const Rule> opsetRules() { return opsetRows; }

} // namespace cutaway::lint
