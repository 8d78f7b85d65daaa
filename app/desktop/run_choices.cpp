// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/run_choices.h"

#include "core/run/devices.h"

namespace cutaway::desktop {

views::RunChoices foundRunChoices()
{
    views::RunChoices choices{run::offers(plugin::findPlugins()), {}, {}, [](const views::RunSettings &settings) {
                                  return run::findBackend(settings.backend, settings.target, settings.options);
                              }};
    choices.devices = [](const views::RunSettings &settings) {
        return run::devicesOf(settings.backend, settings.target);
    };
    const auto targets = plugin::readTargets();
    if (!targets) {
        choices.targets = {plugin::Target{}.name};
        choices.problem = targets.error().text();
        return choices;
    }
    for (const plugin::Target &target : *targets)
        choices.targets.push_back(target.name);
    return choices;
}

} // namespace cutaway::desktop
