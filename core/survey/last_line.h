// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

namespace cutaway::survey {

/// The last line of what a program has said.
inline std::string lastLine(std::string_view text)
{
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return sanitized(text.substr(text.rfind('\n') + 1));
}

} // namespace cutaway::survey
