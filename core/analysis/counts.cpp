// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counts.h"

#include "core/analysis/saturating.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace cutaway::analysis {

namespace {

std::int64_t byteLength(const ir::Storage &storage)
{
    return static_cast<std::int64_t>(std::min<std::uint64_t>(storage.byteLength, saturated));
}

std::vector<bool> partsOfOthers(const ir::Model &model)
{
    std::vector<bool> isPart(model.tensors.size());
    for (const ir::Tensor &tensor : model.tensors)
        for (const ir::TensorId part : tensor.parts)
            isPart[part.index] = true;
    return isPart;
}

TensorCount &countOf(Counts &counts, ir::Tensor::Kind kind)
{
    switch (kind) {
    case ir::Tensor::Kind::Parameter:
    case ir::Tensor::Kind::Packed:
        return counts.parameters;
    case ir::Tensor::Kind::Buffer:
        return counts.buffers;
    case ir::Tensor::Kind::Constant:
        break;
    }
    return counts.constants;
}

/// Adds the bytes of storages to the counts; each storage counts once per kind of tensor and once in the sum over all
/// kinds.
class StorageBytes {
public:
    explicit StorageBytes(const ir::Model &model) : m_model(model), m_seen(model.storages.size()) { }

    void count(ir::StorageId id, Counts &counts, ir::Tensor::Kind kind)
    {
        const bool isPacked = kind == ir::Tensor::Kind::Packed;
        count(id, isPacked ? ir::Tensor::Kind::Parameter : kind, countOf(counts, kind).storageBytes);
        if (isPacked)
            count(id, kind, counts.packed.storageBytes);
        if ((m_seen[id.index] & all) == 0)
            addSaturating(counts.storageBytes, byteLength(m_model.at(id)));
        m_seen[id.index] |= all;
    }

private:
    static constexpr std::uint8_t all = 1u << 7u;

    void count(ir::StorageId id, ir::Tensor::Kind kind, std::int64_t &bytes)
    {
        const auto own = static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
        if ((m_seen[id.index] & own) == 0)
            addSaturating(bytes, byteLength(m_model.at(id)));
        m_seen[id.index] |= own;
    }

    const ir::Model &m_model;
    std::vector<std::uint8_t> m_seen; ///< by StorageId: a bit for each kind that has counted it, and `all`
};

/// Adds a tensor to `count`. `isRepeated`: a tensor with the same bytes was counted before.
void countNamed(const ir::Model &model, TensorCount &count, const ir::Tensor &tensor, bool isRepeated)
{
    const auto bytes = storedBytes(model, tensor);
    ++count.tensors;
    addSaturating(count.elements, ir::elementCount(tensor));
    addSaturating(count.bytes, bytes);
    if (isRepeated)
        return;
    addSaturating(count.distinctElements, ir::elementCount(tensor));
    addSaturating(count.distinctBytes, bytes);
}

} // namespace

TiedTensors::TiedTensors(const ir::Model &model)
{
    std::map<std::tuple<ir::StorageId, ir::DType, std::int64_t, std::int64_t>, ir::TensorId> firsts;
    m_first.reserve(model.tensors.size());
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index) {
        const ir::Tensor &tensor = model.at(id);
        const std::int64_t elements = ir::elementCount(tensor).value_or(0);
        const bool hasBytes = tensor.layout == ir::Layout::Strided && elements > 0;
        m_first.push_back(
            hasBytes ? firsts.try_emplace({tensor.storage, tensor.dtype, tensor.offset, elements}, id).first->second
                     : id);
    }
}

std::optional<std::int64_t> storedBytes(const ir::Model &model, const ir::Tensor &tensor)
{
    if (tensor.layout == ir::Layout::Strided)
        return tensor.dtype == ir::DType::String ? std::nullopt : ir::byteSize(tensor);
    std::int64_t sum = 0;
    for (const ir::TensorId part : tensor.parts)
        addSaturating(sum, ir::byteSize(model.at(part)));
    return sum;
}

bool Counts::overflows() const
{
    const auto full = [](const TensorCount &c) { return std::max({c.elements, c.bytes, c.storageBytes}) == saturated; };
    return full(parameters) || full(buffers) || full(constants) || storageBytes == saturated;
}

Counts countTensors(const ir::Model &model)
{
    Counts counts;
    StorageBytes storages(model);
    const TiedTensors tied(model);
    // The first tensor of each tied set that was counted, with the TensorCount that counted it.
    std::set<std::pair<const TensorCount *, ir::TensorId>> counted;
    const std::vector<bool> isPart = partsOfOthers(model);
    for (ir::TensorId id{0}; id.index < model.tensors.size(); ++id.index) {
        const ir::Tensor &tensor = model.at(id);
        if (tensor.layout != ir::Layout::Strided && tensor.kind != ir::Tensor::Kind::Packed)
            continue;
        TensorCount &count = countOf(counts, tensor.kind);
        storages.count(tensor.storage, counts, tensor.kind);
        if (isPart[id.index])
            continue;
        const bool isRepeated = !counted.emplace(&count, tied.firstOf(id)).second;
        countNamed(model, count, tensor, isRepeated);
        if (tensor.kind == ir::Tensor::Kind::Packed)
            countNamed(model, counts.packed, tensor, isRepeated);
    }
    return counts;
}

std::int64_t countNodes(const ir::Graph &graph)
{
    std::int64_t nodes = 0;
    for (std::uint32_t i = 0; i < graph.nodeCount(); ++i)
        nodes += !graph.at(ir::NodeId{i}).removed;
    return nodes;
}

} // namespace cutaway::analysis
