// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace cutaway::formats::onnx {

/// The meanings of names in the graph that is being built; T{} stands for none. The table is an array over the
/// model's names, so that a lookup is one load. rollBack() removes what a graph has entered.
template <class T>
class NameTable {
public:
    T get(ir::NameId name) const { return name.index < m_entries.size() ? m_entries[name.index] : T{}; }

    void set(ir::NameId name, T value)
    {
        if (name.index >= m_entries.size())
            m_entries.resize(std::max<std::size_t>(name.index + 1, m_entries.size() * 2));
        m_undo.emplace_back(name, std::exchange(m_entries[name.index], value));
    }

    std::size_t mark() const { return m_undo.size(); }

    void rollBack(std::size_t mark)
    {
        for (; m_undo.size() > mark; m_undo.pop_back())
            m_entries[m_undo.back().first.index] = m_undo.back().second;
    }

private:
    std::vector<T> m_entries;
    std::vector<std::pair<ir::NameId, T>> m_undo;
};

} // namespace cutaway::formats::onnx
