// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/facts/dim_arithmetic.h"
#include "core/ops/facts/fact.h"

#include <span>
#include <vector>

namespace cutaway::analysis {

/// The memory that tensors lie in, numbered in the order in which propagation finds it.
class Storages {
public:
    /// Gives the tensor new memory of this many bytes; by default as many as its elements take.
    void allocate(ops::TensorFact &tensor, std::optional<ir::Dim> bytes = std::nullopt)
    {
        tensor.storage = static_cast<ops::StorageNumber>(m_bytes.size());
        m_bytes.push_back(bytes ? std::move(*bytes) : ops::bytesOf(tensor));
    }
    void append(std::span<const ir::Dim> bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }
    /// Replaces the storages from number `first` on by storages of these sizes in bytes.
    void replaceFrom(std::uint32_t first, std::span<const ir::Dim> bytes)
    {
        m_bytes.resize(first);
        append(bytes);
    }

    /// Whether the size of the memory that the tensor lies in is known.
    bool isKnown(const ops::TensorFact &tensor) const
    {
        return ops::isKnown(m_bytes[static_cast<std::size_t>(tensor.storage)]);
    }

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_bytes.size()); }
    std::span<const ir::Dim> bytes() const { return m_bytes; }
    /// Returns the sizes of the storages in bytes, by StorageNumber.
    std::vector<ir::Dim> take() { return std::move(m_bytes); }

private:
    /// By StorageNumber; None and Weights have no bytes of their own.
    std::vector<ir::Dim> m_bytes{std::int64_t{0}, std::int64_t{0}};
};

} // namespace cutaway::analysis
