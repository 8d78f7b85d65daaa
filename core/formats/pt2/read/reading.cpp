// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/read/reading.h"

#include "core/formats/unusable.h"
#include "core/ir/context.h"

namespace cutaway::formats::pt2 {

ir::NameId Reading::name(std::string_view text) const { return context().name(text); }

void Reading::fail(std::string message, std::string where) const
{
    throw Unusable(Error{ErrorKind::Unreadable, std::move(message), std::move(where)}.in(program));
}

} // namespace cutaway::formats::pt2
