// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/reading/dead_nodes.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/ir/weights_only.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/passes/signature_readers.h"

#include <algorithm>
#include <unordered_set>

namespace cutaway::lint {

namespace {

/// Reports weights that are not read, but not counters of one element, such as num_batches_tracked, and not parts of
/// other tensors.
void checkUnusedWeights(Subject &subject)
{
    const ir::Model &model = subject.model();
    if (ir::isWeightsOnly(model)) // files of weights only are read by other files
        return;
    std::unordered_set<ir::TensorId> read = passes::readTensors(model);
    for (const ir::Tensor &whole : model.tensors) // the parts of a sparse tensor are used if the tensor is
        read.insert(whole.parts.begin(), whole.parts.end());
    for (std::uint32_t i = 0; i < model.tensors.size(); ++i) {
        const ir::Tensor &tensor = model.tensors[i];
        const bool isUpdated = std::ranges::any_of(model.functions, [&](const ir::Function &function) {
            return passes::isTargetOfOutput(function, tensor.name);
        });
        if (read.contains({i}) || isUpdated || elementCount(tensor).value_or(0) <= 1)
            continue;
        subject.report(formatted("the {} \"{}\" ({}) is not read", ir::name(tensor.kind),
                                 model.context->text(tensor.name),
                                 byteCount(static_cast<double>(byteSize(tensor).value_or(0)))));
    }
}

void checkUnusedInputs(Subject &subject)
{
    if (subject.function().kind == ir::Function::Kind::Free)
        return;
    for (const ir::FunctionInput &input : subject.function().inputs)
        if (const auto value = ir::valueOf(subject.graph(), &input.value);
            input.kind == ir::FunctionInput::Kind::User && value && (*value)->uses.empty())
            subject.report(*value, formatted("the input \"{}\" is not read", value->name()));
}

/// Whether a node returns a tensor, or something that may be one.
bool givesTensor(Subject &subject, const ir::NodeRef &node)
{
    return std::ranges::any_of(node.outputs(), [&](const ir::ValueRef &value) {
        const ops::Fact fact = subject.reader().fact(value.id());
        return fact.as<ops::TensorFact>() || fact.as<ops::AnyFact>();
    });
}

/// Reports the nodes that the pass dead-code removes; in a chain only its end.
void checkDeadNodes(Subject &subject)
{
    std::unordered_set<ir::NodeId> dead;
    for (const ir::NodeRef &node : analysis::deadNodes(subject.reader()))
        dead.insert(node);
    for (const ir::NodeRef &node : subject.nodes()) {
        const bool isEnd = std::ranges::all_of(node.outputs(), [](const ir::ValueRef &v) { return v->uses.empty(); });
        if (dead.contains(node) && isEnd && givesTensor(subject, node))
            subject.report(node, "its result is not read");
    }
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule unusedRows[] = {
    {"unused-weight", Warning, "A parameter, buffer or constant of the file that no function reads.", ByDefault, File,
     checkUnusedWeights},
    {"unused-input", Warning, "An input of the model that nothing reads.", ByDefault, Function, checkUnusedInputs},
    {"dead-node", Warning, "A node without effects whose results are not read.", ByDefault, Function, checkDeadNodes},
};

} // namespace

std::span<const Rule> unusedRules() { return unusedRows; }

} // namespace cutaway::lint
