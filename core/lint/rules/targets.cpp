// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/onnx_versions.h"
#include "core/ops/schemas/core_aten.h"

namespace cutaway::lint {

namespace {

/// Of aten; assertions and the like are left to the target.
void checkCoreAten(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes()) {
        const ops::Operator *row = subject.reader().row(node);
        const bool acts = row && row->traits.effect == ops::Effect::Acts;
        if (node.dialect() == "aten" && !acts && !ops::isCoreAten(node.opName(), node.overload()))
            subject.report(
                node,
                formatted("{} is not among the core operators of torch {}", node.fullName(), ops::coreAtenVersion()));
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

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule targetRows[] = {
    {"core-aten", Error, "An operator of aten that is no core one; asked by --core-aten.", WhenChosen, Function,
     checkCoreAten},
    {"opset-target", Error, "An ONNX node that the opset of --opset does not have.", WhenChosen, Function,
     checkOpsetTarget},
};

} // namespace

std::span<const Rule> targetRules() { return targetRows; }

} // namespace cutaway::lint
