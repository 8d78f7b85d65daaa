// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/pass.h"
#include "core/plugin/found.h"
#include "core/plugin/target.h"

#include <deque>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace cutaway::plugin {

/// The passes of plugins, for pipelines: "example/replace" is a pass of the plugin `example`. Running one starts the
/// plugin, sends it the model and adopts its changes to the function. Must outlive the pipelines and histories that
/// refer to its passes.
class PluginPasses {
public:
    /// `ask`: plugins whose manifest lists no passes are started and asked for them; a plugin that does not answer in
    /// time has none.
    explicit PluginPasses(const Found &found, const Target &target = {}, bool ask = false);
    PluginPasses(const PluginPasses &) = delete;
    PluginPasses &operator=(const PluginPasses &) = delete;

    std::span<const passes::Pass *const> all() const { return m_all; }

    class Worker;

private:
    std::string_view keep(std::string text) { return m_texts.emplace_back(std::move(text)); }
    void add(const std::shared_ptr<Worker> &worker, const PassOffer &offer);

    std::deque<std::string> m_texts; ///< texts that the passes refer to
    std::deque<passes::Pass> m_passes;
    std::vector<const passes::Pass *> m_all;
};

/// Returns the passes of all plugins found now, for the local target. They live until the program ends, even if the
/// plugin is removed, and stay the same while it is unchanged. An invalid targets.json is ignored. Starts no plugin.
std::vector<const passes::Pass *> foundPasses();
/// Returns the passes of foundPasses() and those of plugins that have to be asked; the first call may take seconds.
std::vector<const passes::Pass *> askedPasses();

} // namespace cutaway::plugin
