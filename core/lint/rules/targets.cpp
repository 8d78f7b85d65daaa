// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/model_format.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/onnx_versions.h"
#include "core/ops/schemas/core_aten.h"
#include "core/rules/translations.h"

#include <algorithm>
#include <array>

namespace cutaway::lint {

namespace {

/// Numbers, containers and control flow of Python, which every target of torch.export has.
constexpr std::array languageDialects{std::string_view("builtins"), std::string_view("_operator"),
                                      std::string_view("math"),     std::string_view("torch"),
                                      std::string_view("prim"),     std::string_view("higher_order")};

bool isCore(const ir::NodeRef &node)
{
    return node.dialect() == "aten" ? ops::isCoreAten(node.dialect(), node.opName(), node.overload())
                                    : std::ranges::contains(languageDialects, node.dialect());
}

/// Returns which passes decompose the node's operator, or that no rule does. An operator in place needs functionalize
/// first.
std::string_view remedyFor(Subject &subject, const ir::NodeRef &node)
{
    const auto way = rules::translationsOf(node.dialect(), node.opName()).coreAten;
    if (way.value_or(rules::Way::None) == rules::Way::None)
        return "no rule decomposes it";
    return subject.reader().writes(node) ? "the passes functionalize and decompose-to-core-aten decompose it"
                                         : "the pass decompose-to-core-aten decomposes it";
}

/// Reports operators of torch that are not core ATen. Assertions and the like are left to the target.
void checkCoreAten(Subject &subject)
{
    if (ir::isOnnx(subject.model()))
        return;
    for (const ir::NodeRef &node : subject.nodes()) {
        const ops::Operator *row = subject.reader().row(node);
        const bool acts = row && row->traits.effect == ops::Effect::Acts;
        if (!node.isOnnx() && !acts && !isCore(node))
            subject.report(node,
                           formatted("{} is not among the core operators of torch {}; {}", node.fullName(),
                                     ops::coreAtenVersion(), remedyFor(subject, node)));
    }
}

void checkOpsetTarget(Subject &subject)
{
    if (!subject.options().opset)
        return;
    const std::int64_t opset = *subject.options().opset;
    for (const ir::NodeRef &node : subject.nodes()) {
        if (node.dialect() != "onnx" || ops::onnxVersions(node.opName()).empty())
            continue;
        const ops::OnnxOperator *version = ops::onnxVersionIn(node.opName(), opset);
        const auto excess = version && !version->deprecated ? ops::excessOf(node, *version) : std::nullopt;
        if (!version || version->deprecated)
            subject.report(node, formatted("opset {} has no operator {}", opset, node.opName()));
        else if (excess)
            subject.report(node, formatted("opset {} has no {} with {}", opset, node.opName(), *excess));
    }
}

void checkBackend(Subject &subject)
{
    if (!subject.options().backend)
        return;
    const BackendGaps &gaps = *subject.options().backend;
    const auto own = gaps.reasons.find(subject.functionId());
    for (const ir::NodeRef &node : own == gaps.reasons.end() ? std::vector<ir::NodeRef>() : subject.nodes())
        if (const auto found = own->second.find(node); found != own->second.end())
            subject.report(node, formatted("{} does not take {}: {}", gaps.backend, node.fullName(), found->second));
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule targetRows[] = {
    {"core-aten", Error, "An operator that is none of core ATen; asked by --core-aten.", WhenChosen, Function,
     checkCoreAten},
    {"opset-target", Error, "An ONNX node that the opset of --opset does not have.", WhenChosen, Function,
     checkOpsetTarget},
    {"backend-operator", Error, "A node that the backend of --backend does not take.", WhenChosen, Function,
     checkBackend},
};

} // namespace

std::span<const Rule> targetRules() { return targetRows; }

} // namespace cutaway::lint
