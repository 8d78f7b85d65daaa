// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <variant>

namespace cutaway::diff {

/// How many elements of two tensors differ; 0: they are equal, byte for byte.
struct Differing {
    std::uint64_t count = 0, of = 0;
    bool operator==(const Differing &) const = default;
};
/// Why two tensors cannot be compared.
struct NotComparable {
    std::string reason;
    bool operator==(const NotComparable &) const = default;
};
using ContentComparison = std::variant<Differing, NotComparable>;

inline bool areEqual(const ContentComparison &comparison)
{
    const auto *differing = std::get_if<Differing>(&comparison);
    return differing && differing->count == 0;
}

/// Compares the elements of tensors of two models, all of them. What is the same byte range of the same file is not
/// read. Each pair is compared once.
class Contents {
public:
    Contents(const ir::Model &a, const ir::Model &b) : m_a(a), m_b(b) { }

    /// Both row by row. Precondition: the same dtype and number of elements.
    const ContentComparison &compare(ir::TensorId a, ir::TensorId b);
    /// Dimension i of A is dimension order[i] of B; `order` says so of all dimensions that are not 1. Precondition: the
    /// same dtype; sizes that fit.
    ContentComparison compare(ir::TensorId a, ir::TensorId b, std::span<const std::size_t> order) const;

    /// The largest relative error of the elements of two floating dtypes, row by row; numbers that both dtypes have no
    /// full digits for count relative to the least that has. Nothing: they are of other sizes, or cannot be read.
    std::optional<double> roundingError(ir::TensorId a, ir::TensorId b) const;

private:
    ContentComparison read(ir::TensorId a, ir::TensorId b) const;
    bool isOneRange(const ir::Tensor &a, const ir::Tensor &b) const;

    const ir::Model &m_a;
    const ir::Model &m_b;
    std::map<std::pair<ir::TensorId, ir::TensorId>, ContentComparison> m_known;
};

/// The sizes that are not 1.
std::vector<std::int64_t> squeezed(const std::vector<std::int64_t> &shape);

} // namespace cutaway::diff
