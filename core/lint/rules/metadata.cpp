// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ir/context.h"
#include "core/ir/model_format.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"

#include <algorithm>

namespace cutaway::lint {

namespace {

bool isTyped(const ir::ValueRef &value)
{
    const ir::TensorType *tensor = value.tensorType();
    return tensor ? tensor->dtype.has_value() : !std::holds_alternative<ir::UnknownType>(value.type());
}

std::string_view textOf(const Subject &subject, ir::NameId name) { return subject.model().context->text(name); }

/// Whether the file has to state types: ONNX demands those of each input and output of the model, torch.export those of
/// every value; TorchScript demands none.
bool recordsTypes(const Subject &subject)
{
    const bool isTyped = ir::isOnnx(subject.model()) || ir::isExportedProgram(subject.model());
    return isTyped && subject.function().kind == ir::Function::Kind::Main;
}

void checkSignatureTypes(Subject &subject)
{
    if (!recordsTypes(subject))
        return;
    const auto check = [&](const ir::Operand &operand, std::string_view what, ir::NameId name) {
        if (const auto value = ir::valueOf(subject.graph(), &operand); value && !isTyped(*value))
            subject.report(*value,
                           formatted("the file records no type of the {} \"{}\"", what,
                                     name == ir::NameId{} ? value->name() : textOf(subject, name)));
    };
    for (const ir::FunctionInput &input : subject.function().inputs)
        check(input.value, "input", input.name);
    for (const ir::FunctionOutput &output : subject.function().outputs)
        check(output.value, "output", output.name);
}

void checkValueTypes(Subject &subject)
{
    if (!recordsTypes(subject))
        return;
    std::size_t all = 0, untyped = 0;
    for (const ir::NodeRef &node : subject.nodes())
        for (const ir::ValueRef output : node.outputs()) {
            ++all;
            untyped += !isTyped(output);
        }
    if (untyped > 0)
        subject.report(formatted("the file records no type of {} of {} inside", untyped, quantity(all, "value")));
}

void checkNodeNames(Subject &subject)
{
    if (!ir::formatOf(subject.model()).namesNodes)
        return;
    const auto unnamed = std::ranges::count_if(subject.nodes(), [](const ir::NodeRef &n) { return n.name().empty(); });
    if (unnamed > 0)
        subject.report(formatted("{} of {} {} no name", unnamed, quantity(subject.nodes().size(), "node"),
                                 unnamed == 1 ? "has" : "have"));
}

/// Reports each operator of torch in a graph that has ONNX's operators, too.
void checkDialects(Subject &subject)
{
    const bool hasOnnx =
        std::ranges::any_of(subject.nodes(), [](const ir::NodeRef &n) { return n.dialect() == "onnx"; });
    if (!hasOnnx)
        return;
    for (const ir::NodeRef &node : subject.nodes())
        if (subject.reader().signature(node->op) || node.dialect() == "prim" || node.dialect().ends_with("aten"))
            subject.report(node, formatted("{} is an operator of torch in a graph of ONNX", node.fullName()));
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule metadataRows[] = {
    {"missing-type", Error, "An input or output of the model whose type the file does not record.", ByDefault,
     FunctionOfFile, checkSignatureTypes},
    {"mixed-dialects", Error, "Operators of torch beside those of ONNX: what an exporter could not translate.",
     ByDefault, Function, checkDialects},
    {"unrecorded-types", Info, "Values inside the graph whose types the file does not record.", WhenChosen,
     FunctionOfFile, checkValueTypes},
    {"unnamed-nodes", Info, "Nodes without names, which profiles, quantization tools and diffs go by.", WhenChosen,
     Function, checkNodeNames},
};

} // namespace

std::span<const Rule> metadataRules() { return metadataRows; }

} // namespace cutaway::lint
