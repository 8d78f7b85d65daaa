// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices.h"

#include "core/base/result.h"
#include "core/plugin/found.h"
#include "core/plugin/session.h"
#include "core/run/backend.h"

namespace cutaway::run {

using protocol::Devices;

Result<std::vector<Devices::Device>> devicesOf(const plugin::Manifest &plugin, const plugin::Target &target)
{
    plugin::Session session(plugin, target);
    CUTAWAY_TRY(const auto reply, session.call(Devices(), {}, {}, session.answerLimit(plugin::promptAnswer)));
    CUTAWAY_TRY(auto result, protocol::parse<Devices::Result>(reply.result));
    return std::move(result.devices);
}

Result<std::vector<Devices::Device>> devicesOf(const std::string &backend, const std::string &target)
{
    if (backend == evaluatorName)
        return std::vector<Devices::Device>{{"cpu", "", 0}};
    CUTAWAY_TRY(const auto targets, plugin::readTargets());
    CUTAWAY_TRY(const auto place, plugin::findTarget(target, targets));
    CUTAWAY_TRY(const auto manifest,
                plugin::findPlugin(backend.substr(0, backend.find('/')), plugin::findPlugins(), place));
    return devicesOf(manifest, place);
}

} // namespace cutaway::run
