// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"

#include <functional>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace cutaway::formats::torchscript {

/// The facts about a function that lowering needs in advance: where names are read, and which names its blocks
/// assign. Statements are numbered in the order of the source.
class Facts {
public:
    /// Whether an operator ("aten", "append") changes its list or dictionary argument.
    using Changes = std::function<bool(std::string_view dialect, std::string_view name)>;

    Facts(const Tree &tree, const Function &function, const Changes &changes);

    /// The numbers [begin, end) of a statement and of all statements in it.
    struct Extent {
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    Extent extent(StatementId id) const { return m_extents.at(id.index); }
    bool isReadWithin(std::string_view name, Extent extent) const;
    bool isReadAfter(std::string_view name, Extent extent) const;
    /// Returns the names to which the blocks of an if, a loop or a with give values, each once, in order.
    const std::vector<std::string_view> &assigned(const Block &block) const { return m_assigned.at(&block); }
    /// Whether the code only reads the name's value, and neither keeps, changes nor returns it: a list literal can
    /// then take the place of the name.
    bool isOnlyRead(std::string_view name) const { return !m_escaping.contains(name); }
    /// Returns the methods of the first parameter that are called.
    const std::vector<std::string_view> &selfCalls() const { return m_selfCalls; }
    /// Returns the attributes of the first parameter to which the code gives a value.
    const std::vector<std::string_view> &selfAssigned() const { return m_selfAssigned; }

private:
    enum class Role : std::uint8_t { Looked, Escaping };

    std::vector<std::string_view> block(const Block &block);
    std::vector<std::string_view> statement(StatementId id);
    void read(ExpressionId id, Role role);
    void readCall(const Call &call);

    const Tree &m_tree;
    const Changes &m_changes;
    std::string_view m_self;
    std::uint32_t m_now = 0;
    std::unordered_map<std::uint32_t, Extent> m_extents;
    std::unordered_map<const Block *, std::vector<std::string_view>> m_assigned;
    /// By name: the numbers of the statements that read it, ascending.
    std::unordered_map<std::string_view, std::vector<std::uint32_t>> m_reads;
    std::unordered_set<std::string_view> m_escaping;
    std::vector<std::string_view> m_selfCalls;
    std::vector<std::string_view> m_selfAssigned;
};

/// An operator by its dialect and its name.
struct OperatorName {
    std::string_view dialect; ///< "aten"
    std::string_view name;    ///< "relu"
};
/// Returns the operator of a dotted name: `torch.relu`, `ops.prim.device`; nothing for other names.
std::optional<OperatorName> operatorNamed(std::string_view dotted);

} // namespace cutaway::formats::torchscript
