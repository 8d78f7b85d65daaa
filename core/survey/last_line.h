// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/text.h"

namespace cutaway::survey {

/// Returns the last line of a program's output.
inline std::string lastLine(std::string_view text)
{
    while (text.ends_with('\n'))
        text.remove_suffix(1);
    return sanitized(text.substr(text.rfind('\n') + 1));
}

} // namespace cutaway::survey
