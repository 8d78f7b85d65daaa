// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plugin/session.h"

namespace cutaway::plugin {

/// The plugin that does what it must not: fake_plugin.py. It runs without the sandbox unless a test wants it.
inline Manifest fakePlugin(const std::string &fault = {})
{
    Manifest plugin;
    plugin.name = "fake";
    plugin.folder = std::filesystem::path(CUTAWAY_FAKE_PLUGIN).parent_path();
    plugin.command = {"python3", CUTAWAY_FAKE_PLUGIN, fault};
    return plugin;
}

inline Target withoutSandbox()
{
    Target target;
    target.wantsSandbox = false;
    return target;
}

} // namespace cutaway::plugin
