// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/shapes.h"

#include "core/analysis/calls/methods.h"
#include "core/analysis/propagation/propagation.h"
#include "core/base/mapped_file.h"
#include "core/ir/context.h"

namespace cutaway::analysis {

/// Sets the facts of the function's inputs before it runs.
static void setInputs(Propagation &propagation, Inference &inference, ir::FunctionId id, const Given &given)
{
    const ir::Function &function = inference.model.at(id);
    // The access is not counted, since no node is being visited.
    const FileSymbols &symbols = inference.fileSymbols.uncounted();
    for (const ir::FunctionInput &input : function.inputs) {
        const auto value = ir::valueOf(function.graph, &input.value);
        const auto fixed = given.inputs.find(inference.model.context->text(input.name));
        const bool isDefault = value && value->weight() && (fixed == given.inputs.end() || !ir::isOverridable(input));
        if (!value || isDefault)
            continue;
        ops::Fact fact = fixed != given.inputs.end() ? symbols.of(fixed->second)
            : input.defaultValue                     ? inference.constants.of(*input.defaultValue)
                                                     : declaredInput(inference.model, id, (*value)->type, symbols);
        ops::forEachTensor(fact, [&](ops::TensorFact &tensor) {
            if (value->weight())
                tensor.storage = ops::StorageNumber::Weights;
            else
                inference.storages.allocate(tensor);
        });
        propagation.set(*value, std::move(fact));
    }
}

static void releasePages(const ir::Model &model)
{
    for (const ir::DataFile &file : model.files)
        if (file.mapping)
            file.mapping->releasePages();
}

Given whateverOverrides(const ir::Model &model, ir::FunctionId function)
{
    Given given;
    for (const ir::FunctionInput &input : model.at(function).inputs)
        if (ir::isOverridable(input) && input.tensor) {
            const ir::Tensor &tensor = model.at(*input.tensor);
            given.inputs.emplace(model.context->text(input.name),
                                 ops::tensorFact(tensor.dtype, ir::Shape(tensor.shape.begin(), tensor.shape.end())));
        }
    return given;
}

Shapes inferShapes(const ir::Model &model, ir::FunctionId function, const Given &given, const Task &task,
                   const Shapes *earlier)
{
    Inference inference(model, given, task);
    Propagation propagation(inference, model.at(function).graph, earlier);
    releasePages(model); // the constructor has read all weights that the graph names
    setInputs(propagation, inference, function, given);
    propagation.run();
    releasePages(model); // propagation has read pages of weights of regions and called functions
    BoundedCost total = propagation.costOf(ir::Graph::body);
    Shapes found = propagation.take();
    found.totalAtLeast = total.lowerBound();
    found.total = std::move(total.cost);
    found.storages = inference.storages.take();
    found.trace.visited = inference.visited;
    inference.symbols.removeChoices(found);
    found.totalAtLeast = boundedBy(found.total, found.totalAtLeast);
    found.dataSizes = inference.symbols.take();
    return found;
}

ops::Cost Shapes::boundOf(ir::NodeId id) const
{
    const auto known = bounds.find(id);
    return boundedBy(costs[id.index], known == bounds.end() ? ops::Cost() : known->second);
}

} // namespace cutaway::analysis
