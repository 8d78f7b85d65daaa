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

/// The number of differing elements of two tensors; 0 if they are equal byte for byte.
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

/// Compares all elements of tensors of two models. Tensors that lie in the same byte range of one file are not read.
/// Each pair is compared once.
class Contents {
public:
    Contents(const ir::Model &a, const ir::Model &b) : m_a(a), m_b(b) { }

    /// Compares the elements of both tensors in row-major order. Precondition: they have the same dtype and number of
    /// elements.
    const ContentComparison &compare(ir::TensorId a, ir::TensorId b);
    /// Compares tensors whose dimensions are in another order: dimension i of A is dimension order[i] of B, without the
    /// dimensions of size 1. Precondition: they have the same dtype, and sizes that fit.
    ContentComparison compare(ir::TensorId a, ir::TensorId b, std::span<const std::size_t> order) const;

    /// Returns the largest relative error of the elements of two floating dtypes, in row-major order. The error of a
    /// small element is relative to the least number that is normal in both dtypes. Returns nothing if the sizes differ
    /// or the elements cannot be read.
    std::optional<double> roundingError(ir::TensorId a, ir::TensorId b) const;

private:
    ContentComparison read(ir::TensorId a, ir::TensorId b) const;
    bool isOneRange(const ir::Tensor &a, const ir::Tensor &b) const;

    const ir::Model &m_a;
    const ir::Model &m_b;
    std::map<std::pair<ir::TensorId, ir::TensorId>, ContentComparison> m_known;
};

/// Returns the sizes that are not 1.
std::vector<std::int64_t> squeezed(const std::vector<std::int64_t> &shape);

} // namespace cutaway::diff
