// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"

namespace cutaway {

std::string formattedFrom(std::string_view format, std::format_args arguments)
{
    return std::vformat(format, arguments);
}

} // namespace cutaway
