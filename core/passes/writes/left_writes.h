// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/node_ref.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::passes {

/// Counts writes in place, and names those that stay, by the reason.
class LeftWrites {
public:
    void done() { ++m_total; }
    /// Counts a write that stays. `reason` is a sentence without its full stop; it must outlive this object.
    void leave(const ir::NodeRef &node, std::string_view reason);
    /// Returns "1 of 3 writes in place are left: add_ (it may convert to another dtype)"; "" if none is left.
    std::string print() const;

private:
    std::size_t m_total = 0;
    std::map<std::string_view, std::vector<std::string>> m_names;
};

} // namespace cutaway::passes
