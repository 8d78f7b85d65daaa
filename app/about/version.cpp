// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/about/version.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/plugin/found.h"

#include <gnu/libc-version.h>

namespace cutaway::about {

namespace {

std::string pluginsText()
{
    std::string text;
    for (const plugin::Manifest &manifest : plugin::findPlugins().plugins) {
        text += (text.empty() ? "" : ", ") + manifest.name;
        if (manifest.backend && !manifest.backend->description.empty())
            text += " (" + manifest.backend->description + ")";
    }
    return text.empty() ? "none" : sanitized(text);
}

} // namespace

std::string_view version() { return CUTAWAY_VERSION; }

std::string_view releaseDate() { return CUTAWAY_RELEASE_DATE; }

std::string versionText(std::string_view program, std::string_view further)
{
    return formatted("{} {}\nlibraries: {}{}" CUTAWAY_LIBRARIES ", glibc {}\nplugins: {}", program, version(), further,
                     further.empty() ? "" : ", ", gnu_get_libc_version(), pluginsText());
}

} // namespace cutaway::about
