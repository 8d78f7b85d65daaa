// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/ids.h"

#include <algorithm>
#include <vector>

namespace cutaway::formats::torchscript {

/// The functions that are being lowered into one graph; each is inlined at a call in the previous one.
class CallStack {
public:
    explicit CallStack(const FunctionDefinition &root) : m_functions{{&root, {}}} { }

    bool contains(const FunctionDefinition &function) const
    {
        return std::ranges::contains(m_functions, &function, &Entry::function);
    }
    /// Returns how many inlined functions the present code is in: 0 in the root.
    std::uint32_t level() const { return static_cast<std::uint32_t>(m_functions.size() - 1); }
    /// Returns the level of the innermost function in whose body the node was made; at least `level`.
    std::uint32_t levelOf(ir::NodeId node, std::uint32_t level = 0) const
    {
        while (level + 1 < m_functions.size() && m_functions[level + 1].firstNode <= node)
            ++level;
        return level;
    }

    void push(const FunctionDefinition &function, ir::NodeId firstNode)
    {
        m_functions.push_back({&function, firstNode});
    }
    void pop() { m_functions.pop_back(); }

    /// Which passes of torch have changed a function, so that there may be dead code in it.
    struct Changes {
        bool byPeephole = false;
        bool byConstants = false;
    };
    /// Returns the changes of the function at a level from 1 on; the root is never changed.
    Changes &changes(std::uint32_t level) { return m_functions[std::clamp(level, 1u, this->level())].changes; }

private:
    struct Entry {
        const FunctionDefinition *function;
        ir::NodeId firstNode; ///< the first node of the function's body
        Changes changes = {};
    };
    std::vector<Entry> m_functions;
};

} // namespace cutaway::formats::torchscript
