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

/// The passes that plugins offer, for pipelines: "example/replace" of the plugin `example`. Running one sends the model
/// to the plugin, which is started then, and takes over what it makes of the function. Pipelines and histories refer to
/// them: they live at least as long.
class PluginPasses {
public:
    /// `ask`: plugins that tell their passes themselves are started and asked; one that does not answer in time has
    /// none.
    explicit PluginPasses(const Found &found, const Target &target = {}, bool ask = false);
    PluginPasses(const PluginPasses &) = delete;
    PluginPasses &operator=(const PluginPasses &) = delete;

    std::span<const passes::Pass *const> all() const { return m_all; }

    class Worker;

private:
    std::string_view keep(std::string text) { return m_texts.emplace_back(std::move(text)); }
    void add(const std::shared_ptr<Worker> &worker, const PassOffer &offer);

    std::deque<std::string> m_texts; ///< what passes only refer to
    std::deque<passes::Pass> m_passes;
    std::vector<const passes::Pass *> m_all;
};

/// Those of all plugins that are found now, on the local target; there as long as the program runs, also when the
/// plugin goes, and the same ones while it stays as it is. A targets.json that is wrong keeps nobody from running
/// passes. Nothing is started.
std::vector<const passes::Pass *> foundPasses();
/// With those of plugins that have to be asked; the first call may take seconds.
std::vector<const passes::Pass *> askedPasses();

} // namespace cutaway::plugin
