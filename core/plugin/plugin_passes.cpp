// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plugin/plugin_passes.h"

#include "core/ir/context.h"
#include "core/ir/json.h"
#include "core/ir/json_state.h"
#include "core/ir/verify.h"
#include "core/plugin/adoption.h"
#include "core/plugin/session.h"

#include <format>
#include <memory>

namespace cutaway::plugin {

namespace {

protocol::Json optionsJson(const passes::Settings &settings)
{
    auto options = protocol::Json::object();
    for (const auto &[name, value] : settings.values())
        std::visit([&, &option = name](const auto &v) { options[option] = v; }, value);
    return options;
}

/// What the plugin makes of the model.
Result<ir::Model> transformed(const passes::Rewriter &rewriter, Session &session, const protocol::Transform &transform)
{
    auto reply = session.call(transform, ir::printJson(rewriter.model()), rewriter.task());
    if (!reply)
        return std::unexpected(std::move(reply.error()));
    auto changed = ir::parseJsonState(reply->payload, rewriter.model().context);
    if (changed)
        if (const auto faults = ir::verify(*changed); !faults.empty())
            changed = unreadable(faults.front());
    return changed;
}

Result<void> run(passes::Rewriter &rewriter, const passes::Settings &settings, Session &session,
                 const std::string &pass)
{
    const std::string function(rewriter.context().text(rewriter.function().name));
    auto changed = transformed(rewriter, session, {pass, optionsJson(settings), function});
    if (!changed && changed.error().kind != ErrorKind::Unreadable)
        return std::unexpected(std::move(changed.error()));
    const auto adopted = changed ? adopt(rewriter, *changed) : Result<void>(std::unexpected(changed.error()));
    if (adopted)
        return {};
    return std::unexpected(Error{ErrorKind::Backend,
                                 std::format("what the plugin '{}' made of the model cannot be taken over: {}",
                                             session.plugin().name, adopted.error().text()),
                                 {}});
}

} // namespace

PluginPasses::PluginPasses(const Found &found, const Target &target)
{
    for (const Manifest &plugin : found.plugins) {
        const auto session = std::make_shared<Session>(plugin, target);
        for (const PassOffer &offer : plugin.passes) {
            std::vector<passes::Option> options;
            for (const PassOption &option : offer.options)
                options.push_back({keep(option.name), keep(option.description), option.otherwise});
            m_all.push_back(&m_passes.emplace_back(
                keep(plugin.name + "/" + offer.name), keep(offer.description), std::move(options),
                [session, name = offer.name](passes::Rewriter &rewriter, const passes::Settings &settings) {
                    return run(rewriter, settings, *session, name);
                },
                false));
        }
    }
}

std::span<const passes::Pass *const> foundPasses()
{
    static const PluginPasses passes(findPlugins(), readTargets().value_or(std::vector{Target()}).front());
    return passes.all();
}

} // namespace cutaway::plugin
