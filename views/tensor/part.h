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

/// A tensor of a model.
struct TensorPlace {
    std::shared_ptr<const ir::Model> model;
    ir::TensorId tensor;
    const ir::Tensor &get() const { return model->at(tensor); }
    bool operator==(const TensorPlace &) const = default;
};

/// The tensor to show, or to subtract another one of the same shape from.
struct TensorChoice {
    TensorPlace tensor;
    std::optional<TensorPlace> less = {};
};

/// A part of a tensor as it is shown: a picture of a matrix of it, and a page of its elements.
struct TensorPart {
    std::optional<tensor::Values> values; ///< values of the whole tensor; nothing: they are not to be had
    std::string fault;                    ///< why there are no values, or what is wrong with the part
    std::string quantization;             ///< "scale 0.5, zero point 3", why it is not known, or ""

    tensor::Slice part; ///< the part that was asked for
    /// Rows of numbers; if the matrix is larger than a picture, every n-th row and column.
    struct Picture {
        tensor::Slice matrix;
        std::size_t rows = 0, columns = 0;
        std::vector<double> numbers;
    } picture;
    /// Rows of texts; each is of the elements along the last dimension, or of one element of a list.
    struct Page {
        std::uint64_t first = 0, of = 0;                ///< rows
        std::uint64_t columns = 0;                      ///< how many all rows have; those beyond the page are left out
        std::vector<std::string> rowNames, columnNames; ///< indices in the tensor
        std::vector<std::vector<std::string>> texts;
    } page;
};

/// The most elements of a tensor that a page has as texts.
inline constexpr std::uint64_t rowsOfPage = 200;
inline constexpr std::uint64_t columnsOfPage = 64;

/// Reads the part `text` of the tensor (core/tensor/slice.h), its page from row `firstRow` on. Only the pages of the
/// file in which these elements lie are loaded.
TensorPart readPart(const TensorChoice &choice, const std::string &text, std::uint64_t firstRow);

/// Returns the indices in the tensor of an element of the picture: "0, 12".
std::string indexOfCell(const TensorPart &part, std::size_t row, std::size_t column);

} // namespace cutaway::views
