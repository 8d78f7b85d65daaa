// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/torchscript/lowering/frame.h"

#include "core/base/formatted.h"
#include "core/base/text.h"

#include <algorithm>

namespace cutaway::formats::torchscript {

NodeOrigin Frame::origin(Position position) const
{
    return {call.scope, m_archive.locations.at(*function.unit, position, call.location)};
}

std::string Frame::describe(Position position) const
{
    const std::string_view before = function.unit->content.text().substr(0, position.offset);
    return formatted("{}, line {}", sanitized(function.unit->member), std::ranges::count(before, '\n') + 1);
}

Term Frame::unknown(const std::string &message, Position position) const
{
    m_archive.noteOnce(ir::Severity::Error, "torchscript.code", sanitized(message) + " (" + describe(position) + ")");
    return Typed{};
}

} // namespace cutaway::formats::torchscript
