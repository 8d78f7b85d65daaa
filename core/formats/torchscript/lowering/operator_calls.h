// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/term.h"
#include "core/formats/torchscript/types.h"
#include "core/ops/schemas/overload.h"

#include <boost/container_hash/hash.hpp>
#include <map>
#include <unordered_map>

namespace cutaway::ir {
class NodeRef;
}

namespace cutaway::formats::torchscript {

/// A call of an operator as the code has it.
struct OperatorCall {
    struct Named {
        std::string_view name;
        Typed value;
    };
    std::string_view dialect; ///< "aten"
    std::string_view name;    ///< "conv2d"
    std::vector<Typed> positional;
    std::vector<Named> named;
};

/// A call that was resolved to an overload, with its arguments under their names and the types of its results.
struct ResolvedCall {
    ir::OpId op;
    std::vector<ir::Argument> arguments; ///< the arguments that are given, without defaults
    std::vector<ir::TypeId> results;
    bool isKnown = false; ///< whether a schema declares the results
};

/// The effects of a node besides computing its results.
struct OperatorEffects {
    const ops::Schema *schema = nullptr; ///< the overload that the node was resolved to; nullptr: there is none
    /// Whether a call may matter for more than its results and the arguments that it writes to, as in torch's
    /// Node::hasSideEffects. An unknown operator is assumed to.
    bool acts = false;
    bool mayWrite = false;   ///< whether some overload writes to an argument other than `out`
    bool hasAliases = false; ///< whether the schema declares an alias of some argument or result
};

/// Finds the overload of each call from the types of its values. Equal calls are resolved only once.
class OperatorCalls {
public:
    OperatorCalls(ir::Context &context, Types &types) : m_context(context), m_types(types) { }

    ResolvedCall resolve(OperatorCall call);
    /// Whether some overload writes to a list or dict, or keeps an argument in one.
    bool changesContainers(std::string_view dialect, std::string_view name);

    /// Whether the operator has a schema or a row in the table of operators.
    bool isDefined(std::string_view dialect, std::string_view name);
    const OperatorEffects &effectsOf(const ir::NodeRef &node);

private:
    enum class Meaning : std::uint8_t { Plain, DType, Layout, MemoryFormat };
    struct Slot {
        ir::NameId name;
        ops::ArgumentSource source;
        Meaning meaning = Meaning::Plain;
    };
    struct Answer {
        ir::OpId op;
        std::vector<Slot> slots;
        std::vector<ir::TypeId> results;
        std::size_t positionalUsed = 0;
        bool isKnown = false;
    };
    using Key = std::vector<std::uint32_t>;

    Key keyOf(const OperatorCall &call);
    const Answer &answer(const OperatorCall &call);
    Answer match(const OperatorCall &call);
    Answer byPosition(const OperatorCall &call, const std::vector<ops::Schema> &candidates);
    Slot slot(const ops::SchemaArgument &argument, ops::ArgumentSource source);
    const std::vector<ops::Schema> &schemas(std::string_view dialect, std::string_view name);
    OperatorEffects findEffects(const ir::NodeRef &node);

    ir::Context &m_context;
    Types &m_types;
    std::map<std::pair<std::string, std::string>, std::vector<ops::Schema>, std::less<>> m_schemas;
    std::unordered_map<Key, Answer, boost::hash<Key>> m_answers;
    std::unordered_map<ir::OpId, OperatorEffects> m_effects;
};

} // namespace cutaway::formats::torchscript
