// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/pt2/reading.h"

#include "core/ir/context.h"

namespace cutaway::formats::pt2 {

namespace {

constexpr int maximumWarnings = 20;

}

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

void Reading::warn(const std::string &code, std::string message)
{
    const int count = ++m_warnings[code];
    if (count <= maximumWarnings)
        model.diagnose(ir::Severity::Warning, code, std::move(message));
    else if (count == maximumWarnings + 1)
        model.diagnose(ir::Severity::Info, code, "there are more of these");
}

} // namespace cutaway::formats::pt2
