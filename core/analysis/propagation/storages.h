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
    /// Gives the tensor new memory of this many bytes, by default those of its elements.
    void allocate(ops::TensorFact &tensor, std::optional<ir::Dim> bytes = std::nullopt)
    {
        tensor.storage = static_cast<ops::StorageNumber>(m_bytes.size());
        m_bytes.push_back(bytes ? std::move(*bytes) : ops::bytesOf(tensor));
    }
    void append(std::span<const ir::Dim> bytes) { m_bytes.insert(m_bytes.end(), bytes.begin(), bytes.end()); }
    /// Replaces the storages from `first` on by storages of these bytes.
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
    /// Returns the bytes, by StorageNumber.
    std::vector<ir::Dim> take() { return std::move(m_bytes); }

private:
    std::vector<ir::Dim> m_bytes{std::int64_t{0}, std::int64_t{0}}; ///< None and Weights have none of their own
};

} // namespace cutaway::analysis
