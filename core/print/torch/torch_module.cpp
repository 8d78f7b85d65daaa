// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/torch/torch_module.h"

#include "core/analysis/assumed_inputs.h"
#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/ir/model_format.h"
#include "core/ops/torch/signatures.h"
#include "core/passes/history.h"
#include "core/print/module_paths.h"
#include "core/print/torch/class_code.h"
#include "core/print/torch/loader_code.h"
#include "core/print/torch/signature_code.h"
#include "core/print/torch/tensor_paths.h"

#include <algorithm>
#include <filesystem>

namespace cutaway::print {

namespace {

/// Removes the defaults of inputs, which a user may replace and passes would rely on.
ir::Model withoutDefaults(ir::Model model, ir::FunctionId id)
{
    for (ir::FunctionInput &input : model.functions[id.index].inputs)
        if (ir::hasDefault(input) && !input.tensor)
            input.defaultValue.reset();
    return model;
}

void restoreDefaults(ir::Model &model, ir::FunctionId id, const ir::Model &original)
{
    for (ir::FunctionInput &input : model.functions[id.index].inputs)
        for (const ir::FunctionInput &before : original.at(id).inputs)
            if (before.name == input.name)
                input.defaultValue = before.defaultValue;
}

bool isOfQuantizedTensors(const ir::Graph &graph)
{
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index)
        if (const ir::NodeRef node(graph, id); !node->removed && node.dialect() == "quantized")
            return true;
    return false;
}

Result<ir::Model> after(std::string_view pipelineText, const ir::Model &model, ir::FunctionId function,
                        const Task &task)
{
    CUTAWAY_TRY(auto pipeline, passes::parsePipeline(pipelineText));
    pipeline.iterations = 4;
    passes::History history(std::make_shared<const ir::Model>(model), function);
    history.run(pipeline, task);
    if (history.failure())
        return std::unexpected(history.failure()->error);
    if (task.stopRequested())
        return cancelled();
    return *history.modelAfter(history.steps().size());
}

/// Inlines calls, takes branches whose conditions are known, and lowers operators of ONNX to aten. Nothing else is
/// changed, so that the code is that of the file. Weights of quantized layers lie in objects, which Python code cannot
/// make, so these layers are written without quantization.
Result<ir::Model> simplified(const ir::Model &model, ir::FunctionId function, const Task &task)
{
    // In an exported program all branches are taken already; folding would remove its checks of the ranges that it
    // declares.
    std::string_view text = "inline-calls,unpack-weights,constant-folding,fold-if,dead-code";
    if (ir::isExportedProgram(model))
        text = "inline-calls,dead-code";
    else if (ir::isOnnx(model))
        text = "fix-defaults,inline-calls,constant-folding,fold-if,lower-to-aten,dead-code";
    auto first = after(text, withoutDefaults(model, function), function, task);
    if (!first)
        return first;
    ir::Model made = std::move(*first);
    if (isOfQuantizedTensors(made.at(function).graph))
        if (auto plain = after("functionalize,explicit-quantization,constant-folding,dead-code", made, function, task))
            made = std::move(*plain);
    restoreDefaults(made, function, model);
    for (ir::ModuleId id{0}; id.index < made.modules.size(); ++id.index) // only the file's reader has filled this index
        made.modulesByPath.try_emplace(made.at(id).path, id);
    return made;
}

/// Whether the function fetches or sets attributes of modules other than tensors that it only reads.
bool usesObjects(const ir::Function &function, CallForms &forms)
{
    const ir::Graph &graph = function.graph;
    for (ir::NodeId id{0}; id.index < graph.nodeCount(); ++id.index) {
        const ir::NodeRef node(graph, id);
        if (node->removed)
            continue;
        const StatementForm form = forms.formOf(node);
        if (form == StatementForm::SetAttribute || form == StatementForm::GetAttribute || form == StatementForm::Enter)
            return true;
    }
    return false;
}

/// Collects the keys of calls whose code differs from that of the first call of the same module.
void collectOthers(const CodeSource &source, const ModuleCall &call,
                   std::map<std::string, std::vector<std::string>> &firstCodes, std::set<std::string> &others)
{
    for (const PlanItem &item : call.items) {
        const auto *inner = std::get_if<std::shared_ptr<const ModuleCall>>(&item);
        if (!inner)
            continue;
        const auto code = ForwardCode(source, **inner).print();
        const std::vector<std::string> lines = code ? code->lines : std::vector<std::string>();
        const auto [first, isNew] = firstCodes.try_emplace((*inner)->path, lines);
        if (!isNew && first->second != lines)
            others.insert((*inner)->key);
        collectOthers(source, **inner, firstCodes, others);
    }
}

/// Returns why a tensor cannot be in a .safetensors file; nothing if it can.
std::optional<std::string> whyNotWritable(const ir::Tensor &tensor)
{
    using enum ir::DType;
    static constexpr std::array writable{Bool,    UInt8,      Int8,         UInt16,   Int16,    UInt32,
                                         Int32,   UInt64,     Int64,        Float16,  BFloat16, Float32,
                                         Float64, Float8E5M2, Float8E4M3FN, Complex64};
    if (tensor.layout != ir::Layout::Strided)
        return formatted("it is {}", ir::name(tensor.layout));
    if (!tensor.parts.empty() || !std::ranges::contains(writable, tensor.dtype))
        return formatted("its dtype is {}", ir::name(tensor.dtype));
    return std::nullopt;
}

Result<std::vector<ModuleWeight>> weightsOf(const ir::Model &model, const TensorPaths &paths, const ModulePlan &plan)
{
    std::vector<ModuleWeight> weights;
    std::map<std::string_view, ir::TensorId> byName;
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index)
        byName.emplace(model.context->text(model.at(id).name), id);
    std::set<std::string, std::less<>> names;
    for (const ir::TensorId id : paths.tensors()) {
        if (plan.literal(id))
            continue;
        if (const auto reason = whyNotWritable(model.at(id)))
            return usageError(formatted("the weight {} cannot be written: {}", paths.of(id), *reason));
        weights.push_back({*names.insert(paths.of(id)).first, id});
    }
    for (const auto &[path, layer] : plan.layers()) {
        const std::string name = path + ".num_batches_tracked";
        if (!layer.countsBatches || !names.insert(name).second)
            continue;
        const auto known = byName.find(name);
        weights.push_back({name, known == byName.end() ? std::nullopt : std::optional(known->second)});
    }
    return weights;
}

} // namespace

Result<TorchModule> torchModule(const ir::Model &given, ir::FunctionId id, const Task &task)
{
    CUTAWAY_TRY(auto model, simplified(given, id, task));
    analysis::assumeInputs(model, id);
    TorchModule made{std::move(model), "", {}};
    const ir::Function &function = made.model.at(id);
    ops::Signatures signatures(*made.model.context);
    CallForms forms(made.model, signatures);
    const ModulePaths objects(function);
    const TensorPaths paths(made.model, function);
    const bool isFlat = usesObjects(function, forms);
    std::set<std::string> dissolved;
    for (;;) {
        const ModulePlan plan(made.model, function, paths, signatures, isFlat, dissolved);
        const ModuleTree tree(function.graph, plan, paths);
        const CodeSource source{made.model, function, paths, plan, tree, objects, forms};
        std::map<std::string, std::vector<std::string>> firstCodes;
        std::set<std::string> others;
        collectOthers(source, plan.root(), firstCodes, others);
        if (!others.empty()) {
            dissolved.merge(others);
            continue;
        }
        ClassCode classes(source);
        CUTAWAY_TRY(const auto text, classes.print());
        CUTAWAY_TRY(made.weights, weightsOf(made.model, paths, plan));
        made.code = importsCode(text, given.path) + text
            + loaderCode(classes.mainClass(), MainSignature(made.model, function).examples());
        return made;
    }
}

} // namespace cutaway::print
