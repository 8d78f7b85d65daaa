// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/counts.h"

#include "core/analysis/saturating.h"

#include <algorithm>

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

/// The storages seen so far of each kind and of all, each to be counted once.
class StorageBytes {
public:
    explicit StorageBytes(const ir::Model &model) : m_model(model), m_seen(model.storages.size()) { }

    void count(ir::StorageId id, ir::Tensor::Kind kind, std::int64_t &ofKind, std::int64_t &ofAll)
    {
        const std::int64_t bytes = byteLength(m_model.at(id));
        std::uint8_t &seen = m_seen[id.index];
        const auto own = static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
        if ((seen & own) == 0)
            addSaturating(ofKind, bytes);
        if (seen == 0)
            addSaturating(ofAll, bytes);
        seen |= own;
    }

private:
    const ir::Model &m_model;
    std::vector<std::uint8_t> m_seen; ///< by StorageId: a bit per kind
};

TensorCount &countOf(Counts &counts, ir::Tensor::Kind kind)
{
    switch (kind) {
    case ir::Tensor::Kind::Parameter:
        return counts.parameters;
    case ir::Tensor::Kind::Buffer:
        return counts.buffers;
    case ir::Tensor::Kind::Constant:
        break;
    }
    return counts.constants;
}

void countNamed(TensorCount &count, const ir::Tensor &tensor)
{
    ++count.tensors;
    addSaturating(count.elements, ir::elementCount(tensor));
    if (tensor.dtype != ir::DType::String)
        addSaturating(count.bytes, ir::byteSize(tensor));
}

} // namespace

bool Counts::overflows() const
{
    const auto full = [](const TensorCount &c) { return std::max({c.elements, c.bytes, c.storageBytes}) == saturated; };
    return full(parameters) || full(buffers) || full(constants) || storageBytes == saturated;
}

Counts countTensors(const ir::Model &model)
{
    Counts counts;
    StorageBytes storages(model);
    const std::vector<bool> isPart = partsOfOthers(model);
    for (std::size_t i = 0; i < model.tensors.size(); ++i) {
        const ir::Tensor &tensor = model.tensors[i];
        TensorCount &count = countOf(counts, tensor.kind);
        if (tensor.layout == ir::Layout::Strided) {
            storages.count(tensor.storage, tensor.kind, count.storageBytes, counts.storageBytes);
            if (!isPart[i])
                countNamed(count, tensor);
        }
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
