// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/propagation/recorded_results.h"

#include "core/analysis/known_tensor.h"
#include "core/analysis/propagation/node_findings.h"
#include "core/analysis/propagation/recorded_names.h"

#include <algorithm>

namespace cutaway::analysis {

bool isOneWay(const ir::NodeRef &node) { return node.isOnnx() && !node->regions.empty(); }

void RecordedResults::useNames(const ir::NodeRef &node, std::uint32_t madeBefore, ops::Facts &results)
{
    if (!m_isRecorded)
        return;
    const auto made = m_inference.symbols.madeSince(madeBefore);
    const bool isNamed = !made.empty() && m_named.contains(node.id());
    RecordedNames names(m_inference.fileSymbols, isNamed ? std::span<const DataSize>() : made,
                        m_inference.record.uncounted().isOfThisCall());
    names.apply(node, results);
    if (names.hasNamed())
        m_named.insert(node.id());
}

void RecordedResults::complete(const ir::NodeRef &node, ops::Facts &results, const Values &values, bool isDTypeSure)
{
    std::optional<bool> isOfThis;
    for (std::size_t i = 0; i < node.outputCount(); ++i) {
        const ir::ValueRef output = node.output(i);
        if (!Record::saysAnything(output.type()))
            continue;
        static const ops::Fact nothing;
        const ops::Fact &known = i < results.size() ? results[i] : nothing;
        if (isWhollyKnown(known, output.type()) && !isOpenNumber(known))
            continue;
        if (!m_isRecorded || isOneWay(node))
            continue;
        const Record &record = *m_inference.record;
        if (!isOfThis)
            isOfThis = record.isOf(node, values);
        auto found = *isOfThis ? record.completed(known, output.type(), isDTypeSure) : std::nullopt;
        if (!found)
            continue;
        m_shapes.isRecorded[output.id().index] = true;
        if (auto *tensor = std::get_if<ops::TensorFact>(&found->v); tensor && !m_inference.storages.isKnown(*tensor))
            tensor->storage = ops::StorageNumber::None; // the storage is allocated anew, since its size is known now
        results.resize(std::max(results.size(), i + 1));
        results[i] = std::move(*found);
    }
}

} // namespace cutaway::analysis
