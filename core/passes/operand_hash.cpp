// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/passes/operand_hash.h"

namespace cutaway::passes {

namespace {

struct Hash {
    std::uint64_t operator()(const ir::None &) const { return 1; }
    std::uint64_t operator()(std::int64_t n) const { return static_cast<std::uint64_t>(n); }
    std::uint64_t operator()(double x) const { return std::bit_cast<std::uint64_t>(x); }
    std::uint64_t operator()(bool b) const { return b ? 2 : 3; }
    std::uint64_t operator()(const std::complex<double> &z) const
    {
        return combined((*this)(z.real()), (*this)(z.imag()));
    }
    std::uint64_t operator()(const ir::String &s) const { return hashOf(s.text); }
    template <class Tag>
    std::uint64_t operator()(ir::Id<Tag> id) const
    {
        return hashOf(id);
    }
    std::uint64_t operator()(const ir::List &list) const
    {
        std::uint64_t hash = list.kind == ir::List::Kind::List ? 5 : 7;
        for (const ir::Operand &item : list.items)
            hash = combined(hash, hashOf(item));
        return hash;
    }
    std::uint64_t operator()(const ir::Dict &dict) const { return (*this)(ir::List{dict.items}); }
    /// Returns the same hash for all dtypes, devices and formulas: they are rare, and are compared anyway.
    template <class Other>
    std::uint64_t operator()(const Other &) const
    {
        return 11;
    }
};

} // namespace

std::uint64_t hashOf(const ir::Operand &operand) { return combined(operand.v.index(), std::visit(Hash{}, operand.v)); }

} // namespace cutaway::passes
