// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/backend.h"

#include "core/plugin/found.h"

#include <algorithm>

namespace cutaway::run {

Result<std::unique_ptr<Backend>> findBackend(const std::string &name, const std::string &target,
                                             const BackendOptions &options)
{
    if (name == evaluatorName)
        return evaluatorBackend();
    const std::size_t slash = std::min(name.find('/'), name.size());
    const std::string form = name.substr(std::min(slash + 1, name.size()));
    const auto targets = plugin::readTargets();
    if (!targets)
        return std::unexpected(targets.error());
    auto place = plugin::findTarget(target, *targets);
    if (!place)
        return std::unexpected(place.error());
    auto manifest = plugin::findPlugin(name.substr(0, slash), plugin::findPlugins(), *place);
    if (!manifest)
        return std::unexpected(manifest.error());
    if (!manifest->backend)
        return std::unexpected(Error{ErrorKind::Usage, "the plugin '" + manifest->name + "' runs no models", {}});
    if (!form.empty() && !std::ranges::contains(manifest->backend->runs, form))
        return std::unexpected(
            Error{ErrorKind::Usage, "the plugin '" + manifest->name + "' runs nothing called '" + form + "'", {}});
    return pluginBackend(std::move(*manifest), form, std::move(*place), options);
}

ir::Model withOutputs(ir::Model model, ir::FunctionId id, std::span<const ir::ValueId> values)
{
    ir::Function &function = model.functions[id.index];
    std::vector<ir::Operand> outputs = function.graph.at(ir::Graph::body).outputs;
    for (const ir::ValueId value : values) {
        outputs.emplace_back(value);
        ir::FunctionOutput output;
        output.name = function.graph.at(value).name;
        output.value = ir::Operand{value};
        function.outputs.push_back(std::move(output));
    }
    function.graph.setOutputs(ir::Graph::body, std::move(outputs));
    return model;
}

} // namespace cutaway::run
