// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/code.h"
#include "core/ir/ids.h"

#include <algorithm>
#include <vector>

namespace cutaway::formats::torchscript {

/// The functions that are being lowered into one graph, each inlined where the one before it calls it.
class CallStack {
public:
    explicit CallStack(const FunctionDefinition &root) : m_functions{{&root, {}}} { }

    bool contains(const FunctionDefinition &function) const
    {
        return std::ranges::contains(m_functions, &function, &Entry::function);
    }
    /// 0 in the root, one more in each function that is inlined.
    std::uint32_t level() const { return static_cast<std::uint32_t>(m_functions.size() - 1); }
    /// The innermost level at which the node was made, at least `level`.
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

    /// Which of torch's passes have changed a function: they may have left dead code in it.
    struct Changes {
        bool byPeephole = false;
        bool byConstants = false;
    };
    /// The changes of the function at a level from 1 on; the root is left as it is.
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
