// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/recurrent.h"

#include <algorithm>
#include <array>

namespace cutaway::compute {

namespace {

/// Returns a matrix whose rows, which are grouped by gate, have the gates in another order.
Vector inOrder(const Vector &rows, std::span<const std::size_t> order)
{
    Vector result;
    const auto size = static_cast<std::ptrdiff_t>(rows.size() / order.size());
    for (const std::size_t gate : order) {
        const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(gate) * size;
        result.insert(result.end(), begin, begin + size);
    }
    return result;
}

Direction onnxDirection(const Call &call, const ops::OnnxRecurrentArguments &given, std::size_t index)
{
    Direction d;
    d.cell = *given.cell;
    const auto count = static_cast<std::size_t>(given.directions());
    const Array *w = call.array(1), *r = call.array(2), *b = call.array(3);
    const auto gates = ops::onnxGates(d.cell);
    d.hidden = d.output = static_cast<std::size_t>(r->shape[2]);
    d.inputs = static_cast<std::size_t>(w->shape[2]);
    d.input = inOrder(partOf(w, index, count), gates);
    d.recurrent = inOrder(partOf(r, index, count), gates);
    const Vector both = partOf(b, index, count);
    const auto half = static_cast<std::ptrdiff_t>(both.size() / 2);
    if (b) {
        d.inputBias = inOrder({both.begin(), both.begin() + half}, gates);
        d.recurrentBias = inOrder({both.begin() + half, both.end()}, gates);
    }
    if (d.cell == Cell::Lstm)
        d.peephole = partOf(call.array(7), index, count);
    d.resetsBefore = d.cell == Cell::Gru && *given.resetsBefore;
    d.couplesForget = d.cell == Cell::Lstm && *given.couplesForget;
    return d;
}

/// Returns the lengths of the sequences, an empty list if they are not given; nothing if they are not known or not
/// valid.
std::optional<std::vector<std::size_t>> lengthsOf(const Call &call, const Array &x)
{
    std::vector<std::size_t> lengths;
    if (!call.facts().has(4))
        return lengths;
    const Array *given = call.array(4);
    if (!given || !given->isWhole() || given->shape != Sizes{x.shape[1]})
        return std::nullopt;
    for (const Whole length : given->as<Whole>()) {
        if (length < 1 || length > x.shape[0])
            return std::nullopt;
        lengths.push_back(static_cast<std::size_t>(length));
    }
    return lengths;
}

/// A layer of onnx::LSTM, GRU or RNN without its weights.
struct OnnxRecurrent {
    ops::OnnxRecurrentArguments given; ///< all of these are known
    std::size_t hidden;
    Sequences input;
    std::optional<Array> hiddenState, cellState; ///< [directions, batch, hidden]
};

std::optional<OnnxRecurrent> onnxRecurrentOf(const Call &call)
{
    const Array *input = call.array(0), *w = call.array(1), *r = call.array(2);
    const ops::OnnxRecurrentArguments given = ops::onnxRecurrentArguments(call.facts());
    if (!hasRank(input, 3) || !hasRank(w, 3) || !hasRank(r, 3) || w->shape[0] != given.directions()
        || r->shape[0] != w->shape[0] || given.isClipped
        || !areKnown(given.cell, given.isBatchFirst, given.resetsBefore, given.couplesForget))
        return std::nullopt;
    if (std::ranges::any_of(std::array{3U, 5U, 6U, 7U}, [&](std::size_t position) { return call.isUnknown(position); }))
        return std::nullopt;
    const Array x = *given.isBatchFirst ? batchFirst(*input) : *input;
    auto lengths = lengthsOf(call, x);
    if (!lengths)
        return std::nullopt;
    const auto stateAt = [&](std::size_t position) -> std::optional<Array> {
        const Array *state = call.array(position);
        return state ? std::optional(*given.isBatchFirst ? batchFirst(*state) : *state) : std::nullopt;
    };
    return OnnxRecurrent{given, static_cast<std::size_t>(r->shape[2]), Sequences::of(x, std::move(*lengths)),
                         stateAt(5), given.cell == Cell::Lstm ? stateAt(6) : std::nullopt};
}

} // namespace

Answer recurrent(const Call &call)
{
    const auto layer = onnxRecurrentOf(call);
    if (!layer)
        return std::nullopt;
    const auto &[given, hidden, input, h, c] = *layer;
    const auto count = static_cast<std::size_t>(given.directions());
    Vector all(input.steps * count * input.batch * hidden);
    LastStates last;
    for (std::size_t i = 0; i < count; ++i) {
        const Direction d = onnxDirection(call, given, i);
        if (!d.fits(input.features))
            return std::nullopt;
        auto states =
            statesFrom(partOf(h ? &*h : nullptr, i, count), partOf(c ? &*c : nullptr, i, count), input.batch, d);
        if (!states)
            return std::nullopt;
        Sequences own = input.zeros(hidden);
        run(d, input, i == 1 || given.isReverse, *states, own, 0);
        for (std::size_t t = 0; t < input.steps; ++t)
            std::copy_n(own.elements.begin() + static_cast<std::ptrdiff_t>(t * input.batch * hidden),
                        input.batch * hidden,
                        all.begin() + static_cast<std::ptrdiff_t>((t * count + i) * input.batch * hidden));
        last.add(*states);
    }
    Array y = doubles({input.steps, count, input.batch, hidden}, std::move(all));
    Array yh = doubles({count, input.batch, hidden}, std::move(last.hidden)),
          yc = doubles({count, input.batch, hidden}, std::move(last.cell));
    if (*given.isBatchFirst) {
        y = permuted(y, std::array<std::size_t, 4>{2, 0, 1, 3});
        yh = batchFirst(yh);
        yc = batchFirst(yc);
    }
    Values results{Value(std::move(y)), Value(std::move(yh)), Value(std::move(yc))};
    results.resize(
        std::min<std::size_t>(std::max<std::size_t>(call.resultCount(), 1), given.cell == Cell::Lstm ? 3 : 2));
    return results;
}

} // namespace cutaway::compute
