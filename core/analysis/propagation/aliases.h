// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <unordered_map>
#include <variant>

namespace cutaway::analysis {

/// Whether other values may be the same: a list, a dictionary, or None instead of one.
bool isContainer(const ops::Fact &fact);

/// Lists and dictionaries go by reference: what is appended to a list that was taken from a dictionary is in the
/// dictionary too. This knows of each value where else its container is held, and writes there what is written to the
/// value. Only containers are followed; that tensors share their elements is of no account for their shapes.
class Aliases {
public:
    struct SameAs {
        ir::ValueId value;
    };
    struct ItemOf {
        ir::ValueId container;
        ops::Fact key; ///< a dictionary's key, a list's index
    };
    using Holder = std::variant<SameAs, ItemOf, AttributePath>;

    /// The value is held there too. Of many holders only the first are followed.
    void add(ir::ValueId value, Holder holder);
    /// The same, if the operand is a container.
    void add(const ir::Operand &operand, Holder holder, const Values &values);
    /// What a node puts into containers and takes out of them.
    void addOf(const ir::NodeRef &node, const Values &values);
    /// The value is found anew: it is another container now.
    void forget(ir::ValueId value) { m_holders.erase(value); }

    /// Writes what is known of the value to all who hold it.
    void writeThrough(ir::ValueId value, Reached reached, Values &values) const
    {
        writeThrough(value, reached, values, 0);
    }

private:
    void writeThrough(ir::ValueId value, Reached reached, Values &values, int depth) const;

    std::unordered_multimap<ir::ValueId, Holder> m_holders;
};

} // namespace cutaway::analysis
