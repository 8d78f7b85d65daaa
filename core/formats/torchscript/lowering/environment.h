// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/lowering/term.h"

#include <boost/unordered/unordered_flat_map.hpp>
#include <vector>

namespace cutaway::formats::torchscript {

/// The meanings of the names of a function while its statements are lowered one after the other. Names are views of the
/// source.
class Environment {
public:
    bool contains(std::string_view name) const { return m_terms.contains(name); }
    /// Returns the name's term; nullptr if the name was given no value.
    const Term *find(std::string_view name) const
    {
        const auto found = m_terms.find(name);
        return found == m_terms.end() ? nullptr : &found->second;
    }
    /// Returns the value that the name stands for; nullptr for a name without one, and for a module or function.
    Typed *value(std::string_view name)
    {
        const auto found = m_terms.find(name);
        return found == m_terms.end() ? nullptr : std::get_if<Typed>(&found->second);
    }

    void assign(std::string_view name, Term term)
    {
        const auto known = m_terms.find(name);
        m_undo.emplace_back(name, known == m_terms.end() ? std::nullopt : std::optional(std::move(known->second)));
        m_terms.insert_or_assign(name, std::move(term));
    }

    /// At its end, restores the terms that names had at its beginning, as after a block that has a region of its own.
    class Scope {
    public:
        explicit Scope(Environment &environment) : m_environment(environment), m_begin(environment.m_undo.size()) { }
        ~Scope() { m_environment.undoFrom(m_begin); }
        Scope(const Scope &) = delete;
        Scope &operator=(const Scope &) = delete;

    private:
        Environment &m_environment;
        std::size_t m_begin;
    };

private:
    void undoFrom(std::size_t begin)
    {
        for (; m_undo.size() > begin; m_undo.pop_back()) {
            auto &[name, before] = m_undo.back();
            if (before)
                m_terms.insert_or_assign(name, std::move(*before));
            else
                m_terms.erase(name);
        }
    }

    boost::unordered_flat_map<std::string_view, Term> m_terms;
    /// For each assignment: the name, and the term that it had before, if any.
    std::vector<std::pair<std::string_view, std::optional<Term>>> m_undo;
};

} // namespace cutaway::formats::torchscript
