// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/network/network_rules.h"
#include "core/ops/compute/network/recurrent.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace cutaway::compute {

namespace {

/// Rows by gate in another order.
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

/// Where PyTorch's gates stand in ONNX's: input, output, forget, cell; update, reset, new.
std::vector<std::size_t> onnxGates(Cell cell)
{
    if (cell == Cell::Lstm)
        return {0, 2, 3, 1};
    return cell == Cell::Gru ? std::vector<std::size_t>{1, 0, 2} : std::vector<std::size_t>{0};
}

/// Whether the activations are those that are computed; RNN may have Relu.
std::optional<Cell> cellOf(const Call &call, std::size_t directions)
{
    const std::string_view name = call.facts().name();
    const Cell cell = name == "LSTM" ? Cell::Lstm : name == "GRU" ? Cell::Gru : Cell::Tanh;
    const auto *list = call.facts()["activations"].as<ops::SequenceFact>();
    if (!list)
        return call.facts().has("activations") ? std::nullopt : std::optional(cell);
    std::vector<std::string> own;
    for (const ops::Fact &item : list->each())
        own.push_back(item.as<ops::TextFact>() ? item.as<ops::TextFact>()->text : "");
    const auto isAll = [&](std::vector<std::string> one) {
        std::vector<std::string> expected;
        for (std::size_t i = 0; i < directions; ++i)
            expected.insert(expected.end(), one.begin(), one.end());
        return std::ranges::equal(own, expected, [](std::string a, std::string b) {
            std::ranges::transform(a, a.begin(), [](unsigned char c) { return std::tolower(c); });
            std::ranges::transform(b, b.begin(), [](unsigned char c) { return std::tolower(c); });
            return a == b;
        });
    };
    if (cell == Cell::Lstm)
        return isAll({"Sigmoid", "Tanh", "Tanh"}) ? std::optional(cell) : std::nullopt;
    if (cell == Cell::Gru)
        return isAll({"Sigmoid", "Tanh"}) ? std::optional(cell) : std::nullopt;
    return isAll({"Tanh"}) ? std::optional(Cell::Tanh) : isAll({"Relu"}) ? std::optional(Cell::Relu) : std::nullopt;
}

Direction onnxDirection(const Call &call, Cell cell, std::size_t index, std::size_t count)
{
    Direction d;
    d.cell = cell;
    const Array *w = call.array(1), *r = call.array(2), *b = call.array(3);
    const auto gates = onnxGates(cell);
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
    if (cell == Cell::Lstm)
        d.peephole = partOf(call.array(7), index, count);
    d.resetsBefore = cell == Cell::Gru && call.integer("", "linear_before_reset", 0) == 0;
    d.couplesForget = cell == Cell::Lstm && call.integer("", "input_forget", 0) != 0;
    return d;
}

/// Nothing if they are not known, or not lengths of sequences.
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

/// The arguments of onnx::LSTM, GRU and RNN without their weights.
struct OnnxRecurrent {
    Cell cell;
    bool isBatchFirst;
    bool isReverse; ///< it has one direction, which goes backward
    std::size_t directions, hidden;
    Sequences input;
    std::optional<Array> hiddenState, cellState; ///< [directions, batch, hidden]
};

std::optional<OnnxRecurrent> onnxRecurrentOf(const Call &call)
{
    const Array *given = call.array(0), *w = call.array(1), *r = call.array(2);
    const auto layout = call.integer("", "layout", 0);
    if (!hasRank(given, 3) || !hasRank(w, 3) || !hasRank(r, 3) || !layout || call.facts().has("clip")
        || w->shape[0] != r->shape[0])
        return std::nullopt;
    if (std::ranges::any_of(std::array{3U, 5U, 6U, 7U}, [&](std::size_t position) { return call.isUnknown(position); }))
        return std::nullopt;
    const bool isBatchFirst = *layout != 0;
    const auto directions = static_cast<std::size_t>(w->shape[0]);
    const std::string_view direction = call.facts().text("direction");
    const auto cell = cellOf(call, directions);
    const Array x = isBatchFirst ? batchFirst(*given) : *given;
    auto lengths = lengthsOf(call, x);
    if (!cell || !lengths || (direction == "bidirectional") != (directions == 2))
        return std::nullopt;
    const auto stateAt = [&](std::size_t position) -> std::optional<Array> {
        const Array *state = call.array(position);
        return state ? std::optional(isBatchFirst ? batchFirst(*state) : *state) : std::nullopt;
    };
    return OnnxRecurrent{*cell,
                         isBatchFirst,
                         direction == "reverse",
                         directions,
                         static_cast<std::size_t>(r->shape[2]),
                         Sequences::of(x, std::move(*lengths)),
                         stateAt(5),
                         *cell == Cell::Lstm ? stateAt(6) : std::nullopt};
}

} // namespace

Answer recurrent(const Call &call)
{
    const auto layer = onnxRecurrentOf(call);
    if (!layer)
        return std::nullopt;
    const auto &[cell, isBatchFirst, isReverse, count, hidden, input, h, c] = *layer;
    Vector all(input.steps * count * input.batch * hidden);
    LastStates last;
    for (std::size_t i = 0; i < count; ++i) {
        const Direction d = onnxDirection(call, cell, i, count);
        if (!d.fits(input.features))
            return std::nullopt;
        auto states =
            statesFrom(partOf(h ? &*h : nullptr, i, count), partOf(c ? &*c : nullptr, i, count), input.batch, d);
        if (!states)
            return std::nullopt;
        Sequences own = input.zeros(hidden);
        run(d, input, i == 1 || isReverse, *states, own, 0);
        for (std::size_t t = 0; t < input.steps; ++t)
            std::copy_n(own.elements.begin() + static_cast<std::ptrdiff_t>(t * input.batch * hidden),
                        input.batch * hidden,
                        all.begin() + static_cast<std::ptrdiff_t>((t * count + i) * input.batch * hidden));
        last.add(*states);
    }
    Array y = doubles({input.steps, count, input.batch, hidden}, std::move(all));
    Array yh = doubles({count, input.batch, hidden}, std::move(last.hidden)),
          yc = doubles({count, input.batch, hidden}, std::move(last.cell));
    if (isBatchFirst) {
        y = permuted(y, std::array<std::size_t, 4>{2, 0, 1, 3});
        yh = batchFirst(yh);
        yc = batchFirst(yc);
    }
    Values results{Value(std::move(y)), Value(std::move(yh)), Value(std::move(yc))};
    results.resize(std::min<std::size_t>(std::max<std::size_t>(call.resultCount(), 1), cell == Cell::Lstm ? 3 : 2));
    return results;
}

} // namespace cutaway::compute
