// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/counterpart.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "views/parts/text.h"
#include "views/session/comparing.h"
#include "views/session/document.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <algorithm>

namespace cutaway::views {
namespace {

std::optional<ir::TensorId> named(const ir::Model &model, std::string_view name)
{
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index)
        if (!name.empty() && model.context->text(model.at(id).name) == name)
            return id;
    return std::nullopt;
}

/// Returns the weights that a node reads, in the order of its arguments.
std::vector<ir::TensorId> weightsOf(const ir::NodeRef &node)
{
    std::vector<ir::TensorId> weights;
    for (const ir::Argument &argument : node->arguments)
        ir::forEachValue(argument.value, [&](ir::ValueId value) {
            if (const auto weight = ir::ValueRef(node.graph(), value).weight())
                weights.push_back(*weight);
        });
    return weights;
}

/// Finds a weight of the same shape that is read by the partner of the first matched node that reads the tensor.
std::optional<ir::TensorId> matched(Session &session, Session &other, ir::TensorId tensor)
{
    const auto difference = session.comparing().difference();
    if (!difference)
        return std::nullopt;
    const ir::Model &model = session.document().model(), &theirs = other.document().model();
    const ir::Graph &graph = session.document().function().graph, &otherGraph = other.document().function().graph;
    for (const diff::Pair &pair : difference->pairs) {
        if (!std::ranges::contains(weightsOf({graph, pair.a}), tensor))
            continue;
        for (const ir::TensorId each : weightsOf({otherGraph, pair.b}))
            if (theirs.at(each).shape == model.at(tensor).shape)
                return each;
    }
    return std::nullopt;
}

/// Whether passes have kept a tensor: its description and its storage are then shared with the file's model.
bool isKept(const ir::Model &model, const ir::Model &file, ir::TensorId tensor)
{
    return model.tensors.sharesWith(file.tensors, tensor.index)
        && model.storages.sharesWith(file.storages, model.at(tensor).storage.index);
}

} // namespace

std::optional<Counterpart> counterpartOf(Session &session, ir::TensorId tensor)
{
    const Models &models = session.document().models();
    const std::string_view name = models.shown.model->context->text(models.shown.model->at(tensor).name);
    if (Session *other = session.comparing().other()) {
        const SharedModel &theirs = other->document().models().shown.model;
        auto found = named(*theirs, name);
        if (!found)
            found = matched(session, *other, tensor);
        return found.transform([&](ir::TensorId id) {
            return Counterpart{{theirs, id}, QObject::tr("in %1").arg(QFileInfo(shown(theirs->path)).fileName())};
        });
    }
    if (session.document().isFileShown())
        return std::nullopt;
    const auto before = named(*models.file, name);
    if (!before || isKept(*models.shown.model, *models.file, tensor))
        return std::nullopt;
    return Counterpart{{models.file, *before}, QObject::tr("before the passes")};
}

std::optional<Counterpart> earlierResult(const Session &session, const TensorPlace &result)
{
    const auto &last = session.running().result();
    if (!last || !last->earlier || last->outputs.tensors != result.model)
        return std::nullopt;
    return named(*last->earlier, result.model->context->text(result.get().name)).transform([&](ir::TensorId id) {
        return Counterpart{{last->earlier, id}, QObject::tr("of the previous run")};
    });
}

} // namespace cutaway::views
