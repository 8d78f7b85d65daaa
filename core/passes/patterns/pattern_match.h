// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/reading/reading.h"
#include "core/passes/patterns/pattern.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace cutaway::passes {

/// The nodes and values of a function in which the graph `before` of a pattern was found.
struct Match {
    std::vector<ir::NodeId> nodes;                            ///< one for each node of that graph, in its order
    std::unordered_map<ir::ValueId, ir::Operand> values;      ///< for its values
    std::map<std::string, ir::Operand, std::less<>> captures; ///< constants, and sizes as numbers or expressions
    /// Whether every type that the pattern asks for is known in the function. Known types always fit.
    bool hasKnownTypes = true;
};

/// Finds a pattern in a function; reads only.
class Matcher {
public:
    /// `isFree` is true of nodes that may be part of a match.
    Matcher(analysis::Reading &reading, const Pattern &pattern, std::function<bool(const ir::NodeRef &)> isFree);

    using Accept = std::function<bool(const Match &)>;
    /// Whether `accept` returns true for one of the matches whose last node is `last`; it gets them one after another.
    /// There are several where operands may be exchanged, or where the last node does not read all others.
    bool find(const ir::NodeRef &last, const Accept &accept);
    /// Whether the last find() ended because there were too many ways to look.
    bool gaveUp() const { return m_steps > maxSteps; }

private:
    static constexpr std::size_t maxSteps = 10'000; ///< a node with thousands of readers is looked at in milliseconds

    /// Operands that have to be equal.
    struct Goal {
        ir::Operand wanted, given;
        bool isOfAnyNumber = false; ///< 1 is 1.0
    };
    struct Pairing {
        std::size_t index; ///< the position of the pattern's node
        ir::NodeId node;
    };
    struct State {
        std::vector<std::optional<ir::NodeId>> nodes;
        Match match;
        std::vector<Goal> goals;
        std::vector<Pairing> open; ///< their arguments are not compared yet
    };

    bool extend(State state, const Accept &accept);
    bool extendAtReaders(const State &state, std::size_t index, bool &isBound, const Accept &accept);
    bool complete(State state, const Accept &accept);
    bool assign(State &state, std::size_t index, const ir::NodeRef &node);
    bool meet(State &state, const Goal &goal);
    bool meetValue(State &state, ir::ValueRef wanted, const ir::Operand &given);
    static bool capture(State &state, const std::string &name, const ir::Operand &given);
    std::vector<std::vector<Goal>> ways(const Pairing &pairing);
    std::optional<std::vector<Goal>> goalsBySchema(const ir::NodeRef &wanted, const ir::NodeRef &given,
                                                   const ops::Signature &signature);
    std::optional<std::vector<Goal>> goalsByPlace(const ir::NodeRef &wanted, const ir::NodeRef &given);
    std::optional<ir::Operand> defaultOf(const ir::NodeRef &node, std::string_view attribute, const ir::Operand &other);
    bool mayExchange(const ir::NodeRef &node);
    bool isSame(const Goal &goal);
    bool isConstant(const ir::Operand &operand);
    ops::Fact factOf(const ir::Operand &operand);
    std::optional<ir::TensorId> tensorOf(const ir::Operand &operand);
    bool isNumber(const ir::Operand &wanted, ir::TensorId tensor);
    bool hasKind(const State &state);
    bool hasReads(const State &state);
    bool meetTypes(State &state);
    bool meetType(State &state, const ir::Type &wanted, const ir::Operand &given);
    bool meetSize(State &state, const ir::Dim &wanted, const ir::Dim &given);

    analysis::Reading &m_reading;
    const Pattern &m_pattern;
    std::function<bool(const ir::NodeRef &)> m_isFree;
    std::vector<ir::NodeRef> m_nodes; ///< the nodes of the pattern's graph `before`
    std::unordered_map<ir::NodeId, std::size_t> m_indices;
    ir::RegionId m_region;
    std::size_t m_steps = 0;
};

} // namespace cutaway::passes
