// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/memory.h"
#include "core/ops/compute/rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace cutaway::compute {

namespace {

/// Returns for each element whether it is among `tests` (a NaN never is), or the opposite if `inverts`.
template <class T>
Answer membership(const Array &like, std::span<const T> elements, std::span<const T> tests, bool inverts)
{
    const auto isNumber = [](T x) { return !std::isnan(static_cast<double>(x)); };
    std::vector<T> known;
    std::ranges::copy_if(tests, std::back_inserter(known), isNumber);
    std::ranges::sort(known);
    std::vector<Whole> result;
    for (const T x : elements)
        result.push_back((isNumber(x) && std::ranges::binary_search(known, x)) != inverts);
    return answer(Array{ir::DType::Bool, like.shape, std::move(result)});
}

} // namespace

Answer isIn(const Call &call)
{
    const Array *elements = call.array(0), *tests = call.array(1);
    const auto inverts = call.flag("invert", false);
    if (!elements || !tests || !inverts)
        return std::nullopt;
    if (elements->isWhole() && tests->isWhole())
        return membership<Whole>(*elements, elements->as<Whole>(), tests->as<Whole>(), *inverts);
    return membership<double>(*elements, floatsOf(*elements), floatsOf(*tests), *inverts);
}

/// Compares where the two tensors lie: all values that are one tensor share a placement.
Answer isSame(const Call &call, bool wanted)
{
    const Array *a = call.array(0), *b = call.array(1);
    if (!a || !b || !a->lies || !b->lies
        || (a->lies != b->lies && (a->lies->isPerhapsAnother || b->lies->isPerhapsAnother)))
        return std::nullopt;
    return Values{Value(ops::Fact(ops::boolFact((a->lies == b->lies) == wanted)))};
}

} // namespace cutaway::compute
