// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/unique_names.h"

#include "core/base/formatted.h"

namespace cutaway {

std::string UniqueNames::fresh(std::string_view wanted)
{
    std::string name(wanted);
    if (take(name))
        return name;
    std::size_t &last = m_lastNumbers[name];
    do
        name = formatted("{}_{}", wanted, ++last);
    while (!take(name));
    return name;
}

} // namespace cutaway
