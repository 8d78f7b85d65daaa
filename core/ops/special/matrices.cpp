// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/special/matrices.h"

#include <algorithm>

namespace cutaway::compute {

std::optional<Matrices> matricesOf(const Array *x, double maxSteps)
{
    if (!x || x->shape.size() < 2 || x->isWhole() || ir::isComplex(x->dtype))
        return std::nullopt;
    const auto rows = static_cast<std::size_t>(x->shape[x->shape.size() - 2]);
    const auto columns = static_cast<std::size_t>(x->shape.back());
    if (static_cast<double>(x->count()) * static_cast<double>(std::max(rows, columns)) > maxSteps)
        return std::nullopt;
    Matrices all{{x->shape.begin(), x->shape.end() - 2}, {}};
    const auto floats = x->as<double>();
    for (std::int64_t i = 0; i < countOf(all.batch); ++i) {
        const auto first = floats.begin() + i * static_cast<std::ptrdiff_t>(rows * columns);
        all.each.push_back({rows, columns, {first, first + static_cast<std::ptrdiff_t>(rows * columns)}});
    }
    return all;
}

std::optional<Matrices> squareMatricesOf(const Array *x, double maxSteps)
{
    auto all = matricesOf(x, maxSteps);
    return all && x->shape.back() == x->shape[x->shape.size() - 2] ? std::move(all) : std::nullopt;
}

Array arrayOf(const Sizes &batch, const std::vector<Matrix> &each, std::size_t rows, std::size_t columns)
{
    Sizes shape = batch;
    shape.insert(shape.end(), {static_cast<std::int64_t>(rows), static_cast<std::int64_t>(columns)});
    std::vector<double> elements;
    for (const Matrix &matrix : each)
        elements.insert(elements.end(), matrix.elements.begin(), matrix.elements.end());
    return {ir::DType::Float64, std::move(shape), std::move(elements)};
}

Matrix identity(std::size_t size)
{
    Matrix made{size, size, std::vector<double>(size * size)};
    for (std::size_t i = 0; i < size; ++i)
        made.at(i, i) = 1;
    return made;
}

Matrix transposed(const Matrix &matrix)
{
    Matrix made{matrix.columns, matrix.rows, std::vector<double>(matrix.elements.size())};
    for (std::size_t row = 0; row < matrix.rows; ++row)
        for (std::size_t column = 0; column < matrix.columns; ++column)
            made.at(column, row) = matrix.at(row, column);
    return made;
}

Matrix productOf(const Matrix &a, const Matrix &b)
{
    Matrix made{a.rows, b.columns, std::vector<double>(a.rows * b.columns)};
    for (std::size_t row = 0; row < a.rows; ++row)
        for (std::size_t k = 0; k < a.columns; ++k)
            for (std::size_t column = 0; column < b.columns; ++column)
                made.at(row, column) += a.at(row, k) * b.at(k, column);
    return made;
}

} // namespace cutaway::compute
