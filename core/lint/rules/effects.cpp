// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ir/names.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/program/control_flow.h"
#include "core/ops/torch/determinism.h"

#include <algorithm>
#include <map>

// A write reaches an input or a weight if it goes to the storage of one, also through views.

namespace cutaway::lint {

namespace {

using ops::StorageNumber;

std::string quotedName(const Subject &subject, ir::NameId name)
{
    return formatted("\"{}\"", subject.model().context->text(name));
}

std::string_view wordOf(ir::FunctionInput::Kind kind)
{
    switch (kind) {
    case ir::FunctionInput::Kind::Parameter:
        return "parameter";
    case ir::FunctionInput::Kind::Buffer:
        return "buffer";
    case ir::FunctionInput::Kind::Constant:
        return "constant";
    default:
        return "input";
    }
}

/// Returns names of the storages in which a caller or a later call sees writes, such as "the input "x"".
std::map<StorageNumber, std::string> lastingStorages(const Subject &subject)
{
    std::map<StorageNumber, std::string> lasting{{StorageNumber::Weights, "a weight of the model"}};
    for (const ir::FunctionInput &input : subject.function().inputs)
        if (const auto *value = input.value.as<ir::ValueId>())
            ops::forEachTensor(subject.analysis().shapes.of(*value), [&](const ops::TensorFact &tensor) {
                if (tensor.storage != StorageNumber::None)
                    lasting.emplace(
                        tensor.storage,
                        formatted("the {} {}", wordOf(input.kind),
                                  quotedName(subject, input.target == ir::NameId{} ? input.name : input.target)));
            });
    lasting.erase(StorageNumber::None);
    return lasting;
}

std::vector<ir::ValueRef> writtenBy(Subject &subject, const ir::NodeRef &node)
{
    std::vector<ir::ValueRef> written;
    const ops::Signature *known = subject.reader().signature(node->op);
    if (!known || !node->regions.empty())
        return written;
    for (const ops::SchemaArgument &parameter : known->schema.arguments)
        if (const ir::Operand *given =
                parameter.type.isWritten() ? subject.reader().argument(node, parameter.name) : nullptr)
            forEachValue(*given, [&](ir::ValueId value) { written.emplace_back(subject.graph(), value); });
    return written;
}

/// Names the weight or lasting storage that a write to a value changes; nothing if the write does not last.
std::optional<std::string> lastingPlaceOf(const Subject &subject, const std::map<StorageNumber, std::string> &lasting,
                                          const ir::ValueRef &value)
{
    if (const auto weight = value.weight())
        return formatted("the {} {}", ir::name(subject.model().at(*weight).kind),
                         quotedName(subject, subject.model().at(*weight).name));
    const ops::TensorFact *tensor = ops::asTensor(subject.analysis().shapes.of(value));
    const auto found = tensor ? lasting.find(tensor->storage) : lasting.end();
    return found == lasting.end() ? std::nullopt : std::optional(found->second);
}

/// Whether a node sets an attribute of a module. Objects that the function makes itself do not count.
bool setsModuleAttribute(Subject &subject, const ir::NodeRef &node)
{
    if (subject.reader().kind(node) != ops::kind::setAttribute || node->arguments.empty())
        return false;
    const auto object = ir::valueOf(subject.graph(), &node->arguments.front().value);
    const auto *type = object ? std::get_if<ir::ClassType>(&object->type()) : nullptr;
    return !type || type->kind == ir::ClassType::Kind::Module;
}

void checkLastingWrites(Subject &subject)
{
    const auto lasting = lastingStorages(subject);
    for (const ir::NodeRef &node : subject.nodes()) {
        if (setsModuleAttribute(subject, node))
            subject.report(node, "mutates module state");
        for (const ir::ValueRef &value : writtenBy(subject, node))
            if (const auto place = lastingPlaceOf(subject, lasting, value))
                subject.report(node, formatted("writes to {} in place", *place));
    }
    for (const ir::FunctionOutput &output : subject.function().outputs)
        if (output.kind == ir::FunctionOutput::Kind::BufferMutation
            || output.kind == ir::FunctionOutput::Kind::ParameterMutation
            || output.kind == ir::FunctionOutput::Kind::UserInputMutation)
            subject.report(formatted("each call changes {}", quotedName(subject, output.target)));
}

/// Reports writes to tensors of the graph, but not to lists, which operators of TorchScript fill.
void checkWrites(Subject &subject)
{
    const auto lasting = lastingStorages(subject);
    const auto isInside = [&](const ir::ValueRef &value) {
        return subject.tensor(value.id()) && !lastingPlaceOf(subject, lasting, value);
    };
    for (const ir::NodeRef &node : subject.nodes())
        if (std::ranges::any_of(writtenBy(subject, node), isInside))
            subject.report(node, "writes in place to a value of the graph");
}

/// Whether a node that is no dropout drops elements: attention and recurrent operators have a dropout inside.
bool dropsInside(Subject &subject, const ir::NodeRef &node)
{
    const auto number = [&](std::string_view name) {
        const ir::Operand *given = subject.reader().argument(node, name);
        return given ? ops::asFloat(subject.reader().fact(*given)).value_or(0) : 0;
    };
    const ir::Operand *trains = subject.reader().argument(node, "train");
    const bool isTraining = trains && ops::asBool(subject.reader().fact(*trains)) == true;
    return number("dropout_p") > 0 || (isTraining && number("dropout") > 0);
}

void checkRandomness(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes())
        if (subject.reader().isRandom(node))
            subject.report(node, "draws random numbers");
        else if (dropsInside(subject, node))
            subject.report(node, "drops elements at random, as in training");
}

void checkDeterminism(Subject &subject)
{
    for (const ir::NodeRef &node : subject.nodes())
        if (!node.isOnnx() && ops::variesOnCuda(subject.reader().call(node)))
            subject.report(node, "may give other results from run to run on CUDA");
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule effectRows[] = {
    {"lasting-write", Warning, "The model changes an input, a parameter, a buffer or an attribute of a module.",
     ByDefault, Function, checkLastingWrites},
    {"random", Warning, "An operator draws random numbers, or a dropout is left in training.", ByDefault, Function,
     checkRandomness},
    {"varies-on-cuda", Warning, "An operator whose CUDA kernel may give other results from run to run.", ByDefault,
     Function, checkDeterminism},
    {"in-place", Info, "An operator writes in place to a value inside the graph: the graph is not functional.",
     WhenChosen, Function, checkWrites},
};

} // namespace

std::span<const Rule> effectRules() { return effectRows; }

} // namespace cutaway::lint
