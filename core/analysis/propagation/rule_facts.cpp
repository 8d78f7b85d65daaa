// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/rule_facts.h"

namespace cutaway::analysis {

void RuleFacts::setAttributes(const Call &call)
{
    m_attributes.emplace();
    for (const auto &[name, fact] : call.attributes)
        m_attributes->emplace(name, fact);
    for (const ir::Argument &attribute : call.function->attributes)
        m_attributes->emplace(attribute.name, ops::factOf(*m_inference.model.context, *this, attribute.value));
}

ops::Fact RuleFacts::attribute(ir::NameId name) const
{
    if (!m_attributes)
        return {};
    const auto found = m_attributes->find(name);
    return found == m_attributes->end() ? ops::Fact(ops::NoneFact{}) : found->second;
}

} // namespace cutaway::analysis
