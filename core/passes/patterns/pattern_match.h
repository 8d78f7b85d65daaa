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
    std::vector<ir::NodeId> nodes;                       ///< one for each node of `before`, in its order
    std::unordered_map<ir::ValueId, ir::Operand> values; ///< one for each value of `before`
    /// By name of a capture: its constant, or its size as a number or an expression.
    std::map<std::string, ir::Operand, std::less<>> captures;
    /// Whether every type that the pattern asks for is known in the function. Known types always fit.
    bool hasKnownTypes = true;
};

/// Finds a pattern in a function; reads only.
class Matcher {
public:
    /// `isFree` is true of nodes that may be part of a match.
    Matcher(analysis::Reading &reading, const Pattern &pattern, std::function<bool(const ir::NodeRef &)> isFree);

    using Accept = std::function<bool(const Match &)>;
    /// Searches matches in which `last` is the node for the last node of the pattern, and passes each to `accept` until
    /// that returns true. Returns whether it did. There are several matches if operands may be exchanged, or if the
    /// last node does not depend on all others.
    bool find(const ir::NodeRef &last, const Accept &accept);
    /// Whether the last find() ended because there were too many alternatives.
    bool gaveUp() const { return m_steps > maxSteps; }

private:
    static constexpr std::size_t maxSteps = 10'000; ///< the search gives up after so many steps, within milliseconds

    /// An operand of the pattern and one of the function that have to be equal.
    struct Goal {
        ir::Operand wanted, given;
        bool isOfAnyNumber = false; ///< whether an integer may equal a float, as 1 equals 1.0
    };
    struct Pairing {
        std::size_t index; ///< the position of the pattern's node
        ir::NodeId node;
    };
    struct State {
        std::vector<std::optional<ir::NodeId>> nodes;
        Match match;
        std::vector<Goal> goals;
        std::vector<Pairing> open; ///< pairs of nodes whose arguments have not been compared yet
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
