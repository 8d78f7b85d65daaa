// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/dim.h"

#include <string>
#include <string_view>
#include <unordered_set>

namespace cutaway::analysis {

struct Shapes;

/// The symbols that one propagation makes up, numbered together.
class Symbols {
public:
    /// A size that only data decides: "hint_7".
    ir::Dim freshSize(std::string_view hint);
    /// A Boolean that only data decides, whether a branch is taken: a symbol that is one or zero. Results have none.
    ir::Dim freshChoice();

    std::uint32_t count() const { return m_count; }
    /// The next symbol has this number.
    void continueAt(std::uint32_t count) { m_count = count; }

    /// Makes unknown what a choice decides. It is not as nodes saw it then, and so not to be taken over by another
    /// propagation.
    void removeChoices(Shapes &shapes) const;

private:
    std::uint32_t m_count = 0;
    std::unordered_set<std::string> m_choices;
};

} // namespace cutaway::analysis
