// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/diff/matching.h"

#include <map>
#include <unordered_map>

namespace cutaway::diff {

/// A value at which a part begins: a result of a matched item, named by the item of A so that both sides name it alike.
struct Border {
    std::uint32_t item = 0;
    std::size_t result = 0;
    auto operator<=>(const Border &) const = default;
};

/// Numbers of borders, which both sides of a check share: a border gets the same elements on both sides.
using BorderNumbers = std::map<Border, std::uint32_t>;

/// The nodes that lead from results of matched items to one operand, as a graph of its own.
struct Part {
    explicit Part(std::shared_ptr<ir::Context> context) : graph(std::move(context)) { }

    struct Input {
        std::optional<std::uint32_t> border; ///< nothing: the input is no border, and `fact` is all that is known of it
        ops::Fact fact;
    };
    ir::Graph graph;                  ///< its body returns the operand
    std::vector<Input> inputs;        ///< the body's inputs in its order
    std::vector<std::uint32_t> items; ///< the unmatched items in it that compute, ascending
    bool isOneBorder = false;         ///< whether the operand itself is a result of a matched item
    bool hasBorder = false;           ///< whether the part depends on results of matched items
    std::int64_t work = 0;            ///< the number of operations and elements, as far as it is known
    Hash hash = 0;                    ///< parts with the same hash compute the same
    std::string problem;              ///< why the part cannot be computed; "" if it can
};

/// Cuts parts out of one side.
class Parts {
public:
    /// `shapes` are those of the side with numbers for its symbols. With `stopsAtAll`, parts begin at all matched
    /// items, else only at items that compute, so that parts may contain nodes that move data.
    Parts(const Matching &matching, Subject &subject, const analysis::Shapes &shapes, bool stopsAtAll);

    /// Cuts out the nodes that compute `operand` as the item `reader` reads it, and the nodes that wrote before that to
    /// the memory which is read. The matched item `within` lies inside the part, with the items that it absorbed.
    Part of(const ir::Operand &operand, std::uint32_t reader, BorderNumbers &numbers,
            std::optional<std::uint32_t> within = {});

    Subject &subject() const { return m_subject; }
    const ops::Fact &factOf(ir::ValueId value) const { return m_shapes.of(value); }

private:
    friend class PartBuilder;

    void findWriters();
    std::optional<Border> borderAt(ir::ValueId value, std::optional<std::uint32_t> within) const;

    const Matching &m_matching;
    Subject &m_subject;
    const analysis::Shapes &m_shapes;
    bool m_stopsAtAll;
    std::vector<std::optional<std::uint32_t>> m_inputItems;  ///< by ValueId
    std::vector<std::optional<ir::TensorId>> m_boundWeights; ///< by ValueId: the weights of inputs that the file binds
    /// By storage: the items that write to it, ascending.
    std::unordered_map<ops::StorageNumber, std::vector<std::uint32_t>> m_writers;
};

} // namespace cutaway::diff
