// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <utility>

namespace cutaway::compute {

namespace {

/// How the rows of a bag are reduced to one.
enum class BagMode : std::uint8_t { Sum, Mean, Largest };

/// Returns the rows of a bag reduced to one row; for a bag without rows it is zero.
std::vector<double> bagOf(std::span<const std::vector<double>> rows, std::size_t width, BagMode mode)
{
    std::vector<double> bag(width);
    for (std::size_t column = 0; column < width; ++column) {
        for (std::size_t i = 0; i < rows.size(); ++i)
            bag[column] = mode != BagMode::Largest ? bag[column] + rows[i][column]
                : i == 0                           ? rows[i][column]
                                                   : std::max(bag[column], rows[i][column]);
        if (mode == BagMode::Mean && !rows.empty())
            bag[column] /= static_cast<double>(rows.size());
    }
    return bag;
}

/// The arguments of aten::embedding_bag. A bag holds the indices from its offset up to the next bag's offset.
struct Bags {
    const Array &table;
    std::span<const Whole> indices, offsets;
    std::vector<double> factors; ///< by index: the factor that its row is multiplied by
    BagMode mode;
    Whole padding; ///< the row that no bag counts; -1: all rows count
};

std::optional<Bags> bagsOf(const Call &call)
{
    const Array *table = call.array(0), *indices = call.array(1), *offsets = call.array(2);
    const Array *factors = call.array("per_sample_weights");
    const auto mode = call.integer("mode", "", 0), padding = call.integer("padding_idx", "", -1);
    const auto isList = [](const Array *array) { return hasRank(array, 1) && array->isWhole(); };
    if (!hasRank(table, 2) || table->isWhole() || !isList(indices) || !isList(offsets) || !areKnown(mode, padding)
        || call.isUnknown("per_sample_weights"))
        return std::nullopt;
    const std::size_t count = indices->count();
    if (*mode < 0 || *mode > 2 || (factors && (*mode != 0 || factors->count() != count)))
        return std::nullopt;
    return Bags{*table,
                indices->as<Whole>(),
                offsets->as<Whole>(),
                factors ? floatsOf(*factors) : std::vector<double>(count, 1.0),
                static_cast<BagMode>(*mode),
                *padding};
}

/// Returns the rows of a bag, each times its factor; nothing if the bag or one of its rows is out of range.
std::optional<std::vector<std::vector<double>>> rowsOf(const Bags &bags, std::size_t bag)
{
    const auto count = std::ssize(bags.indices);
    const Whole start = bags.offsets[bag], end = bag + 1 < bags.offsets.size() ? bags.offsets[bag + 1] : count;
    if (start < 0 || end > count)
        return std::nullopt;
    const auto width = static_cast<std::size_t>(bags.table.shape[1]);
    std::vector<std::vector<double>> rows;
    for (Whole i = start; i < end; ++i) {
        const Whole row = bags.indices[static_cast<std::size_t>(i)];
        if (row < 0 || row >= bags.table.shape[0])
            return std::nullopt;
        if (row == bags.padding)
            continue;
        const auto from = bags.table.as<double>().subspan(static_cast<std::size_t>(row) * width, width);
        rows.emplace_back(from.begin(), from.end());
        for (double &element : rows.back())
            element *= bags.factors[static_cast<std::size_t>(i)];
    }
    return rows;
}

} // namespace

Answer embeddingBag(const Call &call)
{
    const auto bags = bagsOf(call);
    const auto shape = call.shape();
    if (!bags || !shape || shape->empty() || std::cmp_greater(shape->front(), bags->offsets.size()))
        return std::nullopt;
    std::vector<double> result;
    for (std::size_t bag = 0; std::cmp_less(bag, shape->front()); ++bag) {
        const auto rows = rowsOf(*bags, bag);
        if (!rows)
            return std::nullopt;
        const std::vector<double> made = bagOf(*rows, static_cast<std::size_t>(bags->table.shape[1]), bags->mode);
        result.insert(result.end(), made.begin(), made.end());
    }
    return answer(*shape, std::move(result));
}

} // namespace cutaway::compute
