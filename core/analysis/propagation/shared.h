// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <utility>

namespace cutaway::analysis {

/// Counts how often nodes have accessed shared state other than the facts of their operands.
class AccessCount {
public:
    std::uint64_t value() const { return m_value; }

private:
    template <class State>
    friend class Shared;
    std::uint64_t m_value = 0;
};

/// State besides the facts of its operands that a node's findings may depend on, or that it may change: attributes,
/// aliases, autocast contexts. Every access to the state is counted, so that Reuse knows which nodes made no access.
template <class State>
class Shared {
public:
    template <class... Arguments>
    explicit Shared(AccessCount &accesses, Arguments &&...arguments)
        : m_accesses(accesses),
          m_state(std::forward<Arguments>(arguments)...)
    {
    }

    State &operator*()
    {
        ++m_accesses.m_value;
        return m_state;
    }
    State *operator->() { return &**this; }

    /// The state for the few callers that need not be counted; each says why.
    State &uncounted() { return m_state; }
    const State &uncounted() const { return m_state; }

private:
    AccessCount &m_accesses;
    State m_state;
};

} // namespace cutaway::analysis
