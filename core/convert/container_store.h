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

/// A list, tuple, dictionary or object of TorchScript, and its contents at one point of the code.
struct Container {
    enum class Kind : std::uint8_t { List, Tuple, Dictionary, Object };
    struct Item {
        ir::Operand value;
        ir::Operand key = {}; ///< the key of an item of a dictionary, or the name of an object's attribute
        ops::Fact name = {};  ///< the key's fact: a text or a number
    };

    Kind kind = Kind::List;
    ir::RegionId home; ///< the region of the node that makes the container
    std::vector<Item> items;

    bool isSequence() const { return kind == Kind::List || kind == Kind::Tuple; }
    Item *find(const ops::Fact &name);
};

/// The containers of a graph, by the values that stand for them, while a walk over the graph follows their changes. A
/// container that a node uses in an unknown way is forgotten with all that is in it, since that node may change it. The
/// walk then has to begin anew, as its findings at earlier nodes may rely on the container. Forgotten containers stay
/// forgotten in later walks.
class ContainerStore {
public:
    /// Forgets the containers and aliases before another walk; isForgotten() and isWritten() keep those of all walks.
    void clear();

    /// Makes `value` stand for a container, unless an earlier walk had to forget it.
    void add(ir::ValueId value, Container container);
    /// Records that `value` is the same as `operand`.
    void alias(ir::ValueId value, const ir::Operand &operand);
    /// Follows alias() from an operand to its end.
    ir::Operand resolved(const ir::Operand &operand) const;
    /// Returns the container that an operand is; nullptr if it is no container, or one that is not followed.
    Container *of(const ir::Operand &operand);
    /// Returns the items of a list or tuple that is followed, or that the operand itself writes out; nothing for
    /// others.
    std::optional<std::vector<ir::Operand>> itemsOf(const ir::Operand &operand);

    /// Marks a container as written to and returns it; `item` is the operand that is put into it. Returns nullptr for a
    /// container that is not followed. If the write is in another region than the node that made the container, or if
    /// the container would contain itself: forgets the container and the item, and returns nullptr.
    Container *written(const ir::Operand &container, ir::RegionId where, const ir::Operand &item);
    /// Forgets all containers that an operand is or holds.
    void forget(const ir::Operand &operand);
    bool isForgotten(ir::ValueId value) const { return m_forgotten.contains(value); }
    /// Whether a container was forgotten since the walk began.
    bool hasForgotten() const { return m_hasForgotten; }

    bool isWritten(ir::ValueId value) const { return m_written.contains(value); }
    /// Returns the containers that an operand is or holds; inner ones come first.
    std::vector<ir::ValueId> reached(const ir::Operand &operand);

private:
    std::unordered_map<ir::ValueId, Container> m_containers;
    std::unordered_map<ir::ValueId, ir::Operand> m_same;
    std::unordered_set<ir::ValueId> m_written, m_forgotten; ///< values that were written to, or forgotten, in any walk
    bool m_hasForgotten = false;
};

} // namespace cutaway::convert
