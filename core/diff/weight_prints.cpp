// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/weight_prints.h"

#include "core/base/checked.h"
#include "core/ir/tensors/tensor_data.h"

namespace cutaway::diff {

namespace {

/// Elements that are read of a weight: enough to distinguish trained ones, few enough to be cheap for any file.
constexpr std::uint64_t samples = 48;

/// Returns the row-major indices of elements at the same fraction of every dimension.
std::vector<std::uint64_t> diagonal(const ir::Tensor &tensor)
{
    std::vector<std::uint64_t> places;
    std::uint64_t longest = 1;
    for (const std::int64_t size : tensor.shape)
        longest = std::max(longest, static_cast<std::uint64_t>(size));
    const std::uint64_t count = std::min(longest, samples);
    for (std::uint64_t k = 0; k < count; ++k) {
        std::uint64_t place = 0;
        for (const std::int64_t size : tensor.shape) {
            const auto n = static_cast<std::uint64_t>(size);
            place = place * n + n / count * k + n % count * k / count;
        }
        places.push_back(place);
    }
    return places;
}

} // namespace

Hash WeightPrints::shape(ir::TensorId tensor) const
{
    std::vector<Hash> sizes;
    for (const std::int64_t size : m_model.at(tensor).shape)
        if (size != 1)
            sizes.push_back(static_cast<Hash>(size));
    return mixedInAnyOrder(hashOf("weight"), std::move(sizes));
}

std::optional<Hash> WeightPrints::content(ir::TensorId tensor)
{
    const auto [entry, isNew] = m_contents.try_emplace(tensor);
    if (isNew)
        entry->second = read(tensor);
    return entry->second;
}

std::optional<Hash> WeightPrints::read(ir::TensorId id) const
{
    const ir::Tensor &tensor = m_model.at(id);
    if (elementCount(tensor).value_or(0) == 0)
        return {};
    const auto elements = ir::elementsAt(m_model, id, diagonal(tensor), ir::Digits::All);
    if (!elements)
        return {};
    Hash hash = shape(id);
    for (const std::string &element : *elements)
        hash = mixed(hash, hashOf(element));
    return hash;
}

} // namespace cutaway::diff
