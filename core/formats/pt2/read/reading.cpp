// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/reading.h"

#include "core/ir/context.h"

namespace cutaway::formats::pt2 {

ir::NameId Reading::name(std::string_view text) const { return context().name(text); }

void Reading::fail(std::string message, const std::string &where)
{
    fail(Error{ErrorKind::Unreadable, std::move(message), where.empty() ? program : program + ", " + where});
}

void Reading::fail(Error error)
{
    if (!m_fault)
        m_fault = std::move(error);
}

} // namespace cutaway::formats::pt2
