// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/onnx/lowering.h"

namespace cutaway::convert {

namespace {

using L = Lowering;
using ir::DType;

/// The sizes of the new tensor: given as an argument, or those of another tensor.
Term sizesOfNew(L &l)
{
    if (l.call().position({"size"}))
        return l.sizes("size");
    const auto made = l.result();
    bool isNumbered = true;
    std::vector<std::int64_t> numbers;
    for (const ir::Dim &dim : made.shape) {
        isNumbered = isNumbered && ops::number(dim);
        numbers.push_back(ops::number(dim).value_or(0));
    }
    return isNumbered ? l.ints(numbers) : l.shapeOf(l[0]);
}

/// The elements of an empty tensor are not read before they are written, so zeros will do.
Results zerosRule(L &l) { return {l.expand(l.scalar(0, l.resultDType()), sizesOfNew(l))}; }
Results onesRule(L &l) { return {l.expand(l.scalar(1, l.resultDType()), sizesOfNew(l))}; }
Results fullRule(L &l) { return {l.expand(l.as("fill_value", l.resultDType()), sizesOfNew(l))}; }

/// A list of numbers, or of lists, as a tensor.
Term stackedList(L &l, const Lowered &list, DType dtype)
{
    std::vector<Term> parts;
    for (const Lowered &item : list.items.value_or(std::vector<Lowered>{})) {
        if (!item.items && item.operand.as<ir::None>())
            l.refuse("an item of its list is not known");
        parts.push_back(l.unsqueeze(item.items ? stackedList(l, item, dtype) : l.cast(l.term(item), dtype), {0}));
    }
    return parts.empty() ? l.expand(l.scalar(0, dtype), l.ints({0})) : l.concat(parts, 0);
}

/// A number, or a list of numbers, as a tensor.
Results tensorRule(L &l)
{
    const DType dtype = l.resultDType();
    if (l.result().rank() == 0)
        return {l.as(0, dtype)};
    const Lowered list = l.unchanged();
    return list.items ? Results{stackedList(l, list, dtype)} : l.refuse("the items of its list are not known");
}

Results arangeRule(L &l)
{
    const DType dtype = l.resultDType();
    const bool isOfOnnx =
        dtype == DType::Int64 || dtype == DType::Float32 || dtype == DType::Float64 || dtype == DType::Int32;
    if (!isOfOnnx && !ir::isFloating(dtype) && !ir::isInteger(dtype))
        return l.refuse("ONNX counts in no such dtype");
    const DType counted = isOfOnnx ? dtype : ir::isFloating(dtype) ? DType::Float32 : DType::Int64;
    const Term start = l.has("start") ? l.as("start", counted) : l.scalar(0, counted);
    const Term step = l.has("step") ? l.as("step", counted) : l.scalar(1, counted);
    return {l.cast(l.make("Range", {start, l.as("end", counted), step}, {}, counted), dtype)};
}

/// The places on one side of a diagonal, row by row: two rows of a constant.
template <bool isLower>
Results triangleIndicesRule(L &l)
{
    const std::int64_t rows = l.integer("row"), columns = l.integer("col"), offset = l.integer("offset");
    constexpr std::int64_t limit = 4096;
    if (l.isRefused() || rows < 0 || columns < 0 || rows > limit || columns > limit)
        return l.refuse("a triangle that large");
    std::vector<std::int64_t> places, ofColumns;
    for (std::int64_t row = 0; row < rows; ++row)
        for (std::int64_t column = 0; column < columns; ++column)
            if (isLower ? column - row <= offset : column - row >= offset) {
                places.push_back(row);
                ofColumns.push_back(column);
            }
    const auto count = std::ssize(places);
    places.insert(places.end(), ofColumns.begin(), ofColumns.end());
    return {l.cast(l.reshape(l.ints(places), std::vector<std::int64_t>{2, count}), l.resultDType())};
}

Results fillRule(L &l)
{
    const DType dtype = l.resultDType();
    return {l.expand(l.as("value", dtype), l.shapeOf(l[0]))};
}

Results zeroRule(L &l) { return {l.expand(l.scalar(0, l.resultDType()), l.shapeOf(l[0]))}; }

Results eyeRule(L &l)
{
    const Term zeros = l.expand(l.scalar(0, DType::Float32), l.shapeTerm(l.result().shape));
    return {l.make("EyeLike", {zeros})};
}

constexpr LoweringRule creationTable[] = {
    {"aten::zeros aten::empty aten::zeros_like aten::empty_like aten::new_zeros aten::new_empty aten::empty_strided "
     "aten::new_empty_strided",
     zerosRule},
    {"aten::ones aten::ones_like aten::new_ones", onesRule},
    {"aten::full aten::full_like aten::new_full", fullRule},
    {"aten::scalar_tensor aten::tensor aten::as_tensor", tensorRule},
    {"aten::arange", arangeRule},
    {"aten::fill", fillRule},
    {"aten::zero", zeroRule},
    {"aten::eye", eyeRule},
    {"aten::tril_indices", triangleIndicesRule<true>},
    {"aten::triu_indices", triangleIndicesRule<false>},
};

} // namespace

std::span<const LoweringRule> creationRules() { return creationTable; }

} // namespace cutaway::convert
