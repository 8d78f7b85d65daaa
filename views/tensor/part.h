// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/tensor/slice.h"
#include "core/tensor/values.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace cutaway::views {

/// A tensor, and the model that it belongs to.
struct TensorPlace {
    std::shared_ptr<const ir::Model> model;
    ir::TensorId tensor;
    const ir::Tensor &get() const { return model->at(tensor); }
    bool operator==(const TensorPlace &) const = default;
};

/// The tensor to show, or the tensor that is subtracted from another one of the same shape.
struct TensorChoice {
    TensorPlace tensor;
    std::optional<TensorPlace> less = {};
};

/// A part of a tensor as it is shown: a picture of a matrix of it, and a page of its elements.
struct TensorPart {
    std::optional<tensor::Values> values; ///< the values of the tensor; nothing: not available
    std::string fault;        ///< why there are no values, or why the text of the part is invalid; "" otherwise
    std::string quantization; ///< "scale 0.5, zero point 3", why the quantization is unknown, or ""

    tensor::Slice part; ///< the part that the user asked for
    /// Numbers of a matrix, row by row. If the matrix is larger than the picture, it has every n-th row and column.
    struct Picture {
        tensor::Slice matrix;
        std::size_t rows = 0, columns = 0;
        std::vector<double> numbers;
    } picture;
    /// Texts of elements. A row has the elements along the last dimension; for a list it has one element.
    struct Page {
        std::uint64_t first = 0, of = 0; ///< the first row of the page, and the number of all rows
        std::uint64_t columns = 0;       ///< the number of columns of the part; the page has at most columnsOfPage
        std::vector<std::string> rowNames, columnNames; ///< the indices of rows and columns in the tensor
        std::vector<std::vector<std::string>> texts;
    } page;
};

/// The largest number of rows and of columns that a page of elements has.
inline constexpr std::uint64_t rowsOfPage = 200;
inline constexpr std::uint64_t columnsOfPage = 64;

/// Reads a part of the tensor, which `text` describes (core/tensor/slice.h), and its page from row `firstRow` on. Only
/// those memory pages of the file are loaded in which these elements lie.
TensorPart readPart(const TensorChoice &choice, const std::string &text, std::uint64_t firstRow);

/// Returns the indices in the tensor of the picture's element at a row and column: "0, 12".
std::string indexOfCell(const TensorPart &part, std::size_t row, std::size_t column);

} // namespace cutaway::views
