// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/offer.h"

#include "core/base/formatted.h"
#include "core/ir/model_format.h"
#include "core/run/backend.h"

namespace cutaway::run {

namespace {

void addOffers(std::vector<Offer> &all, const plugin::Manifest &manifest, const std::string &absence = {})
{
    if (!manifest.backend)
        return;
    const auto &[description, forms, engines, givesValues] = *manifest.backend;
    all.push_back({manifest.name, description, true, forms, absence});
    for (const std::string &form : forms)
        if (form != forms.front())
            all.push_back({formatted("{}/{}", manifest.name, form),
                           formatted("{}, given {}", description, form),
                           true,
                           {form},
                           absence});
    for (const std::string &engine : engines)
        all.push_back({formatted("{}/{}", manifest.name, engine), formatted("{}, by {}", description, engine), true,
                       forms, absence});
}

} // namespace

std::vector<Offer> offers(const plugin::Found &found)
{
    std::vector<Offer> all;
    for (const plugin::Manifest &manifest : found.plugins)
        addOffers(all, manifest);
    all.push_back({evaluatorName, "Cutaway's own evaluator: exact, slow, and without times", false, {}});
    for (const plugin::Manifest &manifest : found.elsewhere)
        addOffers(all, manifest, plugin::findPlugin(manifest.name, found).error().text());
    return all;
}

std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function)
{
    if (ir::formatOf(model).isRecorded)
        return "cannot run what a trace alone tells: it has no operands; open the model that was run";
    if (!offer.isPlugin() || formFor({{}, offer.runs}, {model, function, model.path}))
        return std::nullopt;
    if (function != ir::FunctionId{0} && formFor({{}, offer.runs}, {model, {0}, model.path}))
        return "runs a model's main function alone";
    return "runs no " + model.format + " models";
}

} // namespace cutaway::run
