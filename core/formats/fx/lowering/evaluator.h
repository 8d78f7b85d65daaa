// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/calls.h"
#include "core/formats/fx/read/syntax.h"

#include <unordered_map>

namespace cutaway::formats::fx {

/// The full names of imported names, by the names that the code uses: "typing.List" by "typing_List".
using Imports = std::unordered_map<std::string_view, std::string>;

/// Evaluates the expressions of one function, one after the other.
class Evaluator {
public:
    /// If `imports` is nullptr, the code is the library's, which may call operators as `aten.NAME`.
    Evaluator(GraphLowering &graph, const Program &program, const Imports *imports)
        : m_graph(graph),
          m_program(program),
          m_imports(imports),
          m_calls(graph)
    {
    }

    Term evaluate(ExpressionId id);
    void bind(std::string_view name, Term term) { m_names.insert_or_assign(name, std::move(term)); }
    void forget(std::string_view name) { m_names.erase(name); }
    const Term *find(std::string_view name) const
    {
        const auto found = m_names.find(name);
        return found == m_names.end() ? nullptr : &found->second;
    }
    /// Binds the parameters of `function`, without the first `skipped`, to the arguments. Throws NotKnown if these do
    /// not fit.
    void bindParameters(const Function &function, const GivenArguments &given, std::size_t skipped);
    GivenArguments arguments(const Call &call, std::size_t from = 0);
    /// Returns the full name that a name, or an attribute of it, stands for: "torch.nn.functional.relu". Nothing if
    /// the function itself defines the name.
    std::optional<std::string> globalName(ExpressionId id) const;

    Calls &calls() { return m_calls; }
    const Program &program() const { return m_program; }

private:
    Term literal(const Literal &literal);
    Term name(const Name &name);
    Term call(const Call &call);
    std::optional<Term> ownFunction(std::string_view name, const GivenArguments &given);
    Term slice(const Slice &slice);
    Term items(const std::vector<ExpressionId> &items, bool isTuple);
    Term dict(const Dict &dict);
    Term binary(const Binary &binary);

    GraphLowering &m_graph;
    const Program &m_program;
    const Imports *m_imports;
    Calls m_calls;
    std::unordered_map<std::string_view, Term> m_names;
};

} // namespace cutaway::formats::fx
