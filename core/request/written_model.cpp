// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/request/written_model.h"

#include "core/analysis/held_sizes.h"
#include "core/analysis/recorded_sizes.h"
#include "core/base/formatted.h"
#include "core/base/quantity.h"
#include "core/ir/names.h"
#include "core/request/given.h"

#include <algorithm>

namespace cutaway::request {

namespace {

/// Returns the error that a model with other sizes than the file's cannot be written.
std::unexpected<Error> notWritten(const std::string &why)
{
    return usageError("it is not written with the given sizes: " + why);
}

Result<void> checkDTypes(const ir::Model &model, const analysis::Given &given)
{
    for (const auto &[name, id] : given.replaced) {
        const auto *type = ir::tensorType(*model.context, id);
        const auto found = given.inputs.find(name);
        const auto *fact = found == given.inputs.end() ? nullptr : ops::asTensor(found->second);
        if (type && fact && type->dtype && type->dtype != fact->dtype)
            return notWritten(formatted("input '{}' is {} in the file and given as {}", name, ir::name(*type->dtype),
                                        ir::name(*fact->dtype)));
        if (!type)
            return notWritten(formatted("'{}' is no tensor, and the sizes of its parts are not replaced", name));
    }
    return {};
}

Result<void> checkHeld(const ir::Model &model, ir::FunctionId function, const analysis::Given &given)
{
    const analysis::Shapes shapes = analysis::inferShapes(model, function, given);
    const auto held = analysis::heldSizes(model, function, given, shapes);
    if (held.empty())
        return {};
    const std::string others = held.size() > 1
        ? formatted(" ({} {} sizes)", quantity(held.size() - 1, "more node"), held.size() == 2 ? "holds" : "hold")
        : "";
    return notWritten(ir::nameOf(ir::NodeRef(model.at(function).graph, held.front().node)) + ": " + held.front().message
                      + others);
}

/// Replaces the recorded types of inner values, which have other sizes, by those derived from the inputs.
void recordDerived(ir::Model &model, ir::FunctionId function)
{
    const analysis::Shapes shapes = analysis::inferShapes(model, function);
    const analysis::RecordedSizes sizes(model, {});
    ir::Graph &graph = model.functions[function.index].graph;
    for (const ir::NodeRef node : ir::nodesOf(graph)) // a value inside a loop has the type of one iteration
        for (const ir::ValueRef output : node.outputs()) {
            const auto *derived = ops::asTensor(shapes.of(output));
            if (!derived || !derived->shape || !output.tensorType())
                continue;
            ir::TensorType type;
            type.dtype = derived->dtype ? derived->dtype : output.tensorType()->dtype;
            type.shape = sizes.of(*derived->shape);
            graph.setType(output, model.context->type(type));
        }
}

} // namespace

ir::Model withGivenSizes(const ir::Model &state, const ir::Model &file, ir::FunctionId function)
{
    ir::Model model = withoutGiven(state, file, function);
    recordDerived(model, function);
    return model;
}

Result<ir::Model> modelToWrite(const States &states, ir::FunctionId function, const analysis::Given &given,
                               const std::filesystem::path &path)
{
    if (given.replaced.empty())
        return withoutGiven(states.last, states.file, function);
    if (path.extension() == ".pt2")
        return notWritten("a .pt2 records the sizes that it was exported with also in its example inputs and guards; "
                          "export it again, or write .json");
    CUTAWAY_RETURN_IF_ERROR(checkDTypes(states.file, given));
    for (const ir::Model *state : {&states.given, &states.last})
        CUTAWAY_RETURN_IF_ERROR(checkHeld(*state, function, given));
    return withGivenSizes(states.last, states.file, function);
}

} // namespace cutaway::request
