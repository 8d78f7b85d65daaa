// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/unique_names.h"
#include "core/ir/node_ref.h"

#include <span>
#include <vector>

namespace cutaway::print {

/// The names of the values in the code of one forward(), which are like those in the graph but without its numbers.
class ValueNames {
public:
    explicit ValueNames(const ir::Graph &graph);

    /// Returns a name like `wanted` that the function does not have yet, and reserves it.
    std::string fresh(std::string_view wanted) { return m_taken.fresh(wanted); }
    /// Returns the value's name, which is made on first use.
    const std::string &of(ir::ValueId value);
    std::vector<std::string> of(std::span<const ir::ValueId> values);
    /// Gives the value a name, which other values may have, too.
    void set(ir::ValueId value, std::string name) { m_names.insert_or_assign(value, std::move(name)); }

private:
    std::string wantedFor(ir::ValueId value) const;

    const ir::Graph &m_graph;
    UniqueNames m_taken;
    std::unordered_map<ir::ValueId, std::string> m_names;
};

} // namespace cutaway::print
