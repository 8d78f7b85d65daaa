// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/named_weights.h"

#include "core/base/formatted.h"
#include "core/base/text.h"
#include "core/diff/figures/similarity.h"
#include "core/diff/figures/totals.h"
#include "core/diff/weights/contents.h"
#include "core/diff/weights/rounding.h"
#include "core/ir/context.h"
#include "core/ir/tensors/sizes.h"

#include <unordered_map>
#include <unordered_set>

namespace cutaway::diff {

namespace {

/// Whether a tensor has elements. Parts of sparse and quantized tensors are compared as tensors of their own: "name#0".
bool hasElements(const ir::Tensor &tensor) { return tensor.layout == ir::Layout::Strided; }

std::string typeText(const ir::Tensor &tensor)
{
    const std::string layout = hasElements(tensor) ? "" : " " + std::string(ir::name(tensor.layout));
    return formatted("{}{}{}", ir::name(tensor.dtype), ir::printSizes(tensor.shape), layout);
}

class NamedWeights {
public:
    NamedWeights(const ir::Model &a, const ir::Model &b) : m_a(a), m_b(b), m_contents(a, b) { }

    void compare(Difference &difference)
    {
        std::unordered_map<std::string_view, ir::TensorId> others;
        for (ir::TensorId id{0}; id.index < m_b.tensors.size(); ++id.index)
            others.emplace(m_b.context->text(m_b.at(id).name), id);
        std::unordered_set<ir::TensorId> partners;
        for (ir::TensorId id{0}; id.index < m_a.tensors.size(); ++id.index) {
            const auto other = others.find(m_a.context->text(m_a.at(id).name));
            if (other == others.end()) {
                difference.signature.push_back({Change::Kind::Weight, nameOf(m_a, id), typeText(m_a.at(id)), ""});
                continue;
            }
            partners.insert(other->second);
            compare(id, other->second, difference);
        }
        for (ir::TensorId id{0}; id.index < m_b.tensors.size(); ++id.index)
            if (!partners.contains(id))
                difference.signature.push_back({Change::Kind::Weight, nameOf(m_b, id), "", typeText(m_b.at(id))});
    }

private:
    static std::string nameOf(const ir::Model &model, ir::TensorId id)
    {
        return "weight " + sanitized(model.context->text(model.at(id).name));
    }

    void compare(ir::TensorId a, ir::TensorId b, Difference &difference)
    {
        const std::string before = typeText(m_a.at(a)), after = typeText(m_b.at(b));
        if (before != after) {
            Change change{Change::Kind::Weight, nameOf(m_a, a), before, after};
            const bool isOneShape = m_a.at(a).shape == m_b.at(b).shape;
            if (const auto error = isOneShape ? m_contents.roundingError(a, b) : std::nullopt) {
                const Rounding rounding{m_a.at(a).dtype, m_b.at(b).dtype, 1, *error};
                change.extent = extentOf(rounding);
                ++difference.weights.compared;
                difference.weights.differing += change.extent == Extent::Elements ? 1 : 0;
                addRounding(difference.roundings, rounding);
            }
            difference.signature.push_back(std::move(change));
            return;
        }
        if (!hasElements(m_a.at(a)))
            return;
        const ContentComparison comparison = m_contents.compare(a, b);
        if (const auto *unknown = std::get_if<NotComparable>(&comparison)) {
            difference.notCompared.push_back({{}, nameOf(m_a, a), unknown->reason});
            return;
        }
        const auto &differing = std::get<Differing>(comparison);
        ++difference.weights.compared;
        if (differing.count == 0)
            return;
        ++difference.weights.differing;
        difference.signature.push_back(
            {Change::Kind::Weight, nameOf(m_a, a), before,
             formatted("{} with other values ({} of {})", after, differing.count, differing.of), Extent::Elements});
    }

    const ir::Model &m_a;
    const ir::Model &m_b;
    Contents m_contents;
};

} // namespace

Difference compareNamedWeights(const Side &a, const Side &b)
{
    Difference difference;
    NamedWeights(a.model, b.model).compare(difference);
    difference.totals = totalsOf(a, b);
    difference.similarity = similarityOfWeights(difference, a.model.tensors.size(), b.model.tensors.size());
    return difference;
}

} // namespace cutaway::diff
