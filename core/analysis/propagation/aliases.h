// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/propagation/walk.h"

#include <unordered_map>
#include <variant>

namespace cutaway::analysis {

/// Whether other values may be the same object as a value with this fact: whether it is a list, a dictionary, or a
/// value that may be None.
bool isContainer(const ops::Fact &fact);

/// The holders of containers. Lists and dictionaries go by reference: an item that is appended to a list in a
/// dictionary is in the dictionary too. This class knows for each value where else its container is held, and writes
/// there what is written to the value. Only containers are followed; that tensors share their elements does not matter
/// for their shapes.
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

    /// Notes that `holder` holds the value, too. Only the first few holders of a value are followed.
    void add(ir::ValueId value, Holder holder);
    /// Notes that `holder` holds the operand, too, if that is a container.
    void add(const ir::Operand &operand, Holder holder, const Values &values);
    /// Notes the containers that a node puts into others, and takes out of others.
    void addOf(const ir::NodeRef &node, const Values &values);
    /// Forgets the holders of a value whose node is visited anew: the value is another container then.
    void forget(ir::ValueId value) { m_holders.erase(value); }

    /// Writes the fact of the value to all its holders.
    void writeThrough(ir::ValueId value, Reached reached, Values &values) const
    {
        writeThrough(value, reached, values, 0);
    }

private:
    void addItems(const ir::NodeRef &node, bool hasKeys, const Values &values);
    void addWritten(const ir::NodeRef &node, bool isAppended, const Values &values);
    void addTaken(const ir::NodeRef &node, ops::OperatorKind kind, const Values &values);
    void writeThrough(ir::ValueId value, Reached reached, Values &values, int depth) const;

    std::unordered_multimap<ir::ValueId, Holder> m_holders;
};

} // namespace cutaway::analysis
