// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ops/compute/array.h"

/// The matrices of a tensor one by one, in double precision.
namespace cutaway::compute {

/// One matrix, row by row.
struct Matrix {
    std::size_t rows, columns;
    std::vector<double> elements;

    double &at(std::size_t row, std::size_t column) { return elements[row * columns + column]; }
    double at(std::size_t row, std::size_t column) const { return elements[row * columns + column]; }
};

struct Matrices {
    Sizes batch;
    std::vector<Matrix> each;
};

/// The last two dimensions of a tensor of floats; nothing of other tensors, and of so many that a product with a matrix
/// of the same size would take more steps: of more than these all takes minutes.
std::optional<Matrices> matricesOf(const Array *x, double maxSteps = 3e9);
std::optional<Matrices> squareMatricesOf(const Array *x, double maxSteps = 3e9);
/// And back.
Array arrayOf(const Sizes &batch, const std::vector<Matrix> &each, std::size_t rows, std::size_t columns);

Matrix identity(std::size_t size);
Matrix transposed(const Matrix &matrix);
Matrix productOf(const Matrix &a, const Matrix &b);

} // namespace cutaway::compute
