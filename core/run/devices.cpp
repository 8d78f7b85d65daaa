// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/devices.h"

#include "core/plugin/found.h"
#include "core/plugin/session.h"
#include "core/run/backend.h"

namespace cutaway::run {

using protocol::Devices;

Result<std::vector<Devices::Device>> devicesOf(const plugin::Manifest &plugin, const plugin::Target &target)
{
    plugin::Session session(plugin, target);
    const auto reply = session.call(Devices(), {}, {}, session.answerLimit(plugin::promptAnswer));
    if (!reply)
        return std::unexpected(reply.error());
    auto result = protocol::parse<Devices::Result>(reply->result);
    return result ? Result<std::vector<Devices::Device>>(std::move(result->devices)) : std::unexpected(result.error());
}

Result<std::vector<Devices::Device>> devicesOf(const std::string &backend, const std::string &target)
{
    if (backend == evaluatorName)
        return std::vector<Devices::Device>{{"cpu", "", 0}};
    const auto targets = plugin::readTargets();
    if (!targets)
        return std::unexpected(targets.error());
    const auto place = plugin::findTarget(target, *targets);
    if (!place)
        return std::unexpected(place.error());
    const auto manifest = plugin::findPlugin(backend.substr(0, backend.find('/')), plugin::findPlugins(), *place);
    return manifest ? devicesOf(*manifest, *place) : std::unexpected(manifest.error());
}

} // namespace cutaway::run
