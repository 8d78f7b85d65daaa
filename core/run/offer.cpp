// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/offer.h"

#include "core/plugin/found.h"
#include "core/run/backend.h"

namespace cutaway::run {

std::vector<Offer> offers()
{
    std::vector<Offer> all;
    for (const plugin::Manifest &manifest : plugin::findPlugins().plugins) {
        if (!manifest.backend)
            continue;
        all.push_back({manifest.name, manifest.backend->description, true, manifest.backend->runs});
        for (const std::string &form : manifest.backend->runs)
            if (form != manifest.backend->runs.front())
                all.push_back(
                    {manifest.name + "/" + form, manifest.backend->description + ", given " + form, true, {form}});
    }
    all.push_back({evaluatorName, "Cutaway's own evaluator: exact, slow, and without times", false, {}});
    return all;
}

std::optional<std::string> obstacle(const Offer &offer, const ir::Model &model, ir::FunctionId function)
{
    if (!offer.isPlugin() || formFor({{}, offer.runs}, {model, function, model.path}))
        return std::nullopt;
    if (function != ir::FunctionId{0} && formFor({{}, offer.runs}, {model, {0}, model.path}))
        return "runs a model's main function alone";
    return "runs no " + model.format + " models";
}

} // namespace cutaway::run
