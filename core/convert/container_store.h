// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/graph.h"
#include "core/ops/facts/fact.h"

#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::convert {

/// A list, tuple, dictionary or object of TorchScript, and what is in it at some place of the code.
struct Container {
    enum class Kind : std::uint8_t { List, Tuple, Dictionary, Object };
    struct Item {
        ir::Operand value;
        ir::Operand key = {}; ///< the key, for an item of a dictionary or an object
        ops::Fact name = {};  ///< the key's fact: a text or a number
    };

    Kind kind = Kind::List;
    ir::RegionId home; ///< where it is made
    std::vector<Item> items;

    bool isSequence() const { return kind == Kind::List || kind == Kind::Tuple; }
    Item *find(const ops::Fact &name);
};

/// The containers of a graph by the values that made them, while a walk over the graph follows what is put into them.
/// One that does something that is not understood is forgotten, with all that is in it: whoever has it may do anything.
/// That may be too late for what was done before, so the walk is to begin anew; what is forgotten stays so.
class ContainerStore {
public:
    /// For a walk from the beginning.
    void clear();

    /// A container that a value is from now on.
    void add(ir::ValueId value, Container container);
    /// The value is the same as an operand.
    void alias(ir::ValueId value, const ir::Operand &operand);
    /// Follows alias() from an operand to its end.
    ir::Operand resolved(const ir::Operand &operand) const;
    /// nullptr: it is none that is followed.
    Container *of(const ir::Operand &operand);
    /// The items of a list or tuple that is followed or written as an operand.
    std::optional<std::vector<ir::Operand>> itemsOf(const ir::Operand &operand);

    /// Marks a container as written to and returns it; `item`: what it gets. Forgets it and returns nullptr if it is
    /// written to in another region than that where it was made, or would hold itself.
    Container *written(const ir::Operand &container, ir::RegionId where, const ir::Operand &item);
    /// Forgets all containers that an operand is or holds.
    void forget(const ir::Operand &operand);
    bool isForgotten(ir::ValueId value) const { return m_forgotten.contains(value); }
    /// Whether a container was forgotten since the walk began.
    bool hasForgotten() const { return m_hasForgotten; }

    bool isWritten(ir::ValueId value) const { return m_written.contains(value); }
    /// The containers that an operand is or holds; those that are in others come before these.
    std::vector<ir::ValueId> reached(const ir::Operand &operand);

private:
    std::unordered_map<ir::ValueId, Container> m_containers;
    std::unordered_map<ir::ValueId, ir::Operand> m_same;
    std::unordered_set<ir::ValueId> m_written, m_forgotten; ///< in all walks
    bool m_hasForgotten = false;
};

} // namespace cutaway::convert
