// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sequence/results.h"

#include "core/ops/schemas/schema_table.h"

#include <algorithm>

namespace cutaway::sequence {

namespace {

/// The operator that a callee may name: `torch.ops.aten.topk.default`, `torch.topk` and `x.topk` are aten::topk.
struct Named {
    std::string_view dialect = "aten", name, overload;
    bool hasOverload = false;
};

std::string_view takeWord(std::string_view &path)
{
    const std::string_view word = path.substr(0, path.find('.'));
    path.remove_prefix(std::min(word.size() + 1, path.size()));
    return word;
}

Named operatorNamed(std::string_view callee)
{
    constexpr std::string_view operators = "torch.ops.";
    Named named;
    if (!callee.starts_with(operators)) {
        named.name = callee.substr(callee.rfind('.') + 1); // without a dot, npos + 1 is 0
        return named;
    }
    callee.remove_prefix(operators.size());
    named.dialect = takeWord(callee);
    named.name = takeWord(callee);
    named.hasOverload = !callee.empty();
    named.overload = callee == "default" ? "" : callee;
    return named;
}

/// Returns the name of which an item is taken: `split` for `split[0]`.
std::string_view takenFrom(std::string_view item) { return item.substr(0, item.find('[')); }

} // namespace

PrintedResults::Count PrintedResults::resultsOf(std::string_view code)
{
    const std::size_t open = code.find('(');
    if (open == std::string_view::npos || open == 0 || code.starts_with("self."))
        return Count::Unknown;
    const auto [found, isNew] = m_byCallee.try_emplace(std::string(code.substr(0, open)), Count::Unknown);
    if (!isNew)
        return found->second;
    const Named named = operatorNamed(code.substr(0, open));
    for (const ops::Schema &schema : ops::schemasOf(named.dialect, named.name))
        if (!named.hasOverload || schema.overload == named.overload) {
            if (schema.returns.size() > 1)
                return found->second = Count::Several;
            found->second = Count::One;
        }
    return found->second;
}

void PrintedResults::readWhole(std::string_view code)
{
    if (m_unknown == 0)
        return;
    for (const std::string_view name : namesIn(code))
        if (const auto found = m_counts.find(std::string(name));
            found != m_counts.end() && found->second == Count::Unknown) {
            found->second = Count::One;
            --m_unknown;
        }
}

bool PrintedResults::isNode(const Statement &statement)
{
    const bool isItem = statement.meaning == Statement::Meaning::Item;
    if (isItem && !m_counts.empty()) {
        const auto from = m_counts.find(std::string(takenFrom(statement.value)));
        if (from != m_counts.end() && from->second != Count::One)
            return false;
    }
    readWhole(statement.value);
    if (statement.annotation.empty()) {
        const Count count = isItem ? Count::Unknown : resultsOf(statement.value);
        m_unknown += count == Count::Unknown;
        m_counts.insert_or_assign(std::string(statement.name), count);
    }
    return true;
}

} // namespace cutaway::sequence
