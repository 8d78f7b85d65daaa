// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/manifest.h"
#include "core/plugin/target.h"
#include "core/protocol/methods.h"

namespace cutaway::run {

/// Returns the devices that the backend of a plugin can use on a target. Starts the plugin and asks it. Errors: those
/// of plugin::Session.
Result<std::vector<protocol::Devices::Device>> devicesOf(const plugin::Manifest &plugin, const plugin::Target &target);

/// Returns the devices of a backend with this name; the evaluator has the processor alone. Errors: as above; Usage: an
/// unknown backend or target; those of plugin::readTargets().
Result<std::vector<protocol::Devices::Device>> devicesOf(const std::string &backend, const std::string &target);

} // namespace cutaway::run
