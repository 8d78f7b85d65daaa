// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/part.h"

#include "core/ir/tensors/tensor_data.h"
#include "core/report/tensor/tensor_lines.h"

#include <algorithm>

namespace cutaway::views {
namespace {

constexpr std::int64_t pictureSide = 256;

std::string indices(const std::vector<std::int64_t> &shape, std::uint64_t position)
{
    const std::string text = report::indexText(shape, position);
    return text.substr(1, text.size() - 2);
}

/// Returns the last dimension for which the part has a range rather than a single index; nothing if there is none.
std::optional<std::size_t> lastDimension(const tensor::Slice &part)
{
    for (std::size_t d = part.ranges.size(); d-- > 0;)
        if (!part.ranges[d].isIndex)
            return d;
    return std::nullopt;
}

void readPicture(TensorPart &shown)
{
    const std::vector<std::int64_t> &shape = shown.values->elements().shape();
    TensorPart::Picture &picture = shown.picture;
    picture.matrix = tensor::matrixOf(shown.part, pictureSide, pictureSide);
    const auto sizes = picture.matrix.shape();
    picture.columns = sizes.empty() ? 1 : std::size_t(sizes.back());
    picture.rows = sizes.size() < 2 ? 1 : std::size_t(sizes.front());
    picture.numbers.resize(picture.matrix.count());
    const tensor::SlicePlaces places(shape, picture.matrix);
    for (std::size_t k = 0; k < picture.numbers.size();) {
        const auto run = std::min<std::size_t>(places.runAt(k), picture.numbers.size() - k);
        shown.values->read(places.at(k), std::span(picture.numbers).subspan(k, run));
        k += run;
    }
}

Result<std::vector<std::string>> textsAt(const TensorChoice &choice, const TensorPart &shown,
                                         const std::vector<std::uint64_t> &positions)
{
    if (!choice.less)
        return ir::elementsAt(*choice.tensor.model, choice.tensor.tensor, positions);
    std::vector<std::string> texts;
    for (const std::uint64_t position : positions) {
        double number = 0;
        shown.values->read(position, std::span(&number, 1));
        texts.push_back(report::numberText(number));
    }
    return texts;
}

/// Reads the page of elements from row `firstRow` on. A list is shown as a column.
void readPage(TensorPart &shown, const TensorChoice &choice, std::uint64_t firstRow)
{
    const std::vector<std::int64_t> &shape = choice.tensor.get().shape;
    const tensor::SlicePlaces places(shape, shown.part);
    const auto sizes = shown.part.shape();
    const auto last = sizes.size() < 2 ? std::nullopt : lastDimension(shown.part);
    TensorPart::Page &page = shown.page;
    page.columns = last ? std::uint64_t(sizes.back()) : 1;
    page.of = page.columns == 0 ? 0 : shown.part.count() / page.columns;
    page.first = page.of == 0 ? 0 : std::min(firstRow, page.of - 1);
    const std::uint64_t columns = std::min(page.columns, columnsOfPage);
    for (std::uint64_t column = 0; last && column < columns; ++column) {
        const tensor::Slice::Range &range = shown.part.ranges[*last];
        page.columnNames.push_back(std::to_string(range.start + std::int64_t(column) * range.step));
    }
    for (std::uint64_t row = page.first; row < std::min(page.of, page.first + rowsOfPage); ++row) {
        std::vector<std::uint64_t> positions;
        for (std::uint64_t column = 0; column < columns; ++column)
            positions.push_back(places.at(row * page.columns + column));
        auto texts = textsAt(choice, shown, positions);
        if (!texts) {
            shown.fault = texts.error().text();
            return;
        }
        const std::string name = indices(shape, positions.front());
        page.rowNames.push_back(last ? name.substr(0, name.rfind(',')) : name);
        page.texts.push_back(std::move(*texts));
    }
}

std::string quantizationOf(const ir::Model &model, ir::TensorId id, std::optional<tensor::Quantization> &quantization)
{
    auto found = tensor::quantizationOf(model, id);
    if (!found)
        return found.error().message;
    quantization = std::move(*found);
    return quantization ? report::quantizationText(*quantization) : "";
}

Result<tensor::Values> valuesOf(const TensorPlace &place, std::string &quantizationText)
{
    std::optional<tensor::Quantization> quantization;
    quantizationText = quantizationOf(*place.model, place.tensor, quantization);
    return tensor::Elements::of(*place.model, place.tensor).transform([&](tensor::Elements elements) {
        return tensor::Values(std::move(elements), std::move(quantization));
    });
}

Result<tensor::Values> valuesOf(const TensorChoice &choice, std::string &quantizationText)
{
    auto values = valuesOf(choice.tensor, quantizationText);
    if (!values || !choice.less)
        return values;
    std::string ignored;
    const auto less = valuesOf(*choice.less, ignored);
    return less ? values->minus(*less) : less;
}

} // namespace

TensorPart readPart(const TensorChoice &choice, const std::string &text, std::uint64_t firstRow)
{
    TensorPart shown;
    const std::vector<std::int64_t> &shape = choice.tensor.get().shape;
    if (auto values = valuesOf(choice, shown.quantization))
        shown.values.emplace(std::move(*values));
    else
        shown.fault = values.error().message;
    const auto part = tensor::parseSlice(text, shape);
    if (!part) {
        shown.fault = part.error().message;
        return shown;
    }
    shown.part = *part;
    if (shown.values && shown.values->elements().shape() == shape)
        readPicture(shown);
    if (shown.values || !choice.less)
        readPage(shown, choice, firstRow);
    return shown;
}

std::string indexOfCell(const TensorPart &part, std::size_t row, std::size_t column)
{
    const std::vector<std::int64_t> &shape = part.values->elements().shape();
    const tensor::SlicePlaces places(shape, part.picture.matrix);
    return indices(shape, places.at(row * part.picture.columns + column));
}

} // namespace cutaway::views
