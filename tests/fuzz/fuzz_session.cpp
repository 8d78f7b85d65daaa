// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/keeping/saved_session.h"

#include <cstdint>
#include <cstdlib>
#include <string_view>

namespace desktop = cutaway::desktop;

/// A session that can be read is written as a text that reads as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto session = desktop::parseSession({reinterpret_cast<const char *>(data), size});
    if (!session)
        return 0;
    const std::string text = desktop::printSession(*session);
    const auto again = desktop::parseSession(text);
    if (!again || desktop::printSession(*again) != text)
        std::abort();
    return 0;
}
