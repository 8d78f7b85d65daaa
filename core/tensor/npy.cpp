// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/npy.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/ops/compute/array.h"
#include "core/tensor/numbers.h"

#include <algorithm>
#include <charconv>
#include <optional>

// NumPy's documentation describes the format under numpy.lib.format: a magic text, a version, the length of the
// header, the header as a dict of Python, the elements.

namespace cutaway::tensor {

namespace {

using ir::DType;
using protocol::Tensor;

constexpr std::string_view magic = "\x93NUMPY";

struct Row {
    DType dtype;
    std::string_view descr;
};
constexpr Row rows[] = {{DType::Bool, "|b1"},      {DType::UInt8, "|u1"},      {DType::Int8, "|i1"},
                        {DType::UInt16, "<u2"},    {DType::Int16, "<i2"},      {DType::UInt32, "<u4"},
                        {DType::Int32, "<i4"},     {DType::UInt64, "<u8"},     {DType::Int64, "<i8"},
                        {DType::Float16, "<f2"},   {DType::Float32, "<f4"},    {DType::Float64, "<f8"},
                        {DType::Complex64, "<c8"}, {DType::Complex128, "<c16"}};

std::optional<std::string_view> descrOf(DType dtype)
{
    const auto *row = std::ranges::find(rows, dtype, &Row::dtype);
    return row == std::end(rows) ? std::nullopt : std::optional(row->descr);
}

/// Returns the tensor, converted if NumPy lacks its dtype; nothing if no dtype of NumPy fits.
std::optional<Tensor> widened(const Tensor &tensor)
{
    if (descrOf(tensor.dtype))
        return tensor;
    if (!ir::isNumeric(tensor.dtype))
        return std::nullopt;
    const DType wide = ir::isFloat(tensor.dtype) ? DType::Float32
        : ir::isSigned(tensor.dtype)             ? DType::Int8
                                                 : DType::UInt8;
    const auto count = static_cast<std::size_t>(protocol::elementCount(tensor.shape).value_or(0));
    const ir::Numbers numbers = ir::decodeNumbers(tensor.dtype, bytesOf(tensor), count);
    return tensorOf(wide, tensor.shape, ir::encodeNumbers(wide, numbers));
}

std::string shapeText(const std::vector<std::int64_t> &shape)
{
    std::string text = "(";
    for (const std::int64_t size : shape)
        text += std::to_string(size) + ", ";
    return text + ")";
}

// ---------------------------------------------------------------- reading

std::unexpected<Error> npyFault(const std::string &message)
{
    return unreadable("the file is not an array of NumPy: " + message);
}

/// Returns the text after "'key':" in the dict of the header; nothing if the dict lacks the key.
std::optional<std::string_view> entry(std::string_view header, std::string_view key)
{
    const std::size_t at = header.find(formatted("'{}':", key));
    if (at == std::string_view::npos)
        return std::nullopt;
    header.remove_prefix(at + key.size() + 3);
    header.remove_prefix(std::min(header.find_first_not_of(' '), header.size()));
    return header;
}

std::optional<std::vector<std::int64_t>> shapeOf(std::string_view text)
{
    if (!text.starts_with('('))
        return std::nullopt;
    std::vector<std::int64_t> shape;
    text = text.substr(1, text.find(')') - 1);
    while (text.find_first_not_of(" ,") != std::string_view::npos) {
        text.remove_prefix(text.find_first_not_of(" ,"));
        std::int64_t size = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
        if (error != std::errc{})
            return std::nullopt;
        shape.push_back(size);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return shape;
}

/// Returns the text of the header, and the offset of the elements.
Result<std::pair<std::string_view, std::size_t>> headerOf(std::string_view file)
{
    constexpr std::size_t fixed = 10;
    if (!file.starts_with(magic) || file.size() < fixed)
        return npyFault("wrong magic number");
    const auto byte = [&](std::size_t at) { return static_cast<std::size_t>(static_cast<unsigned char>(file[at])); };
    const bool isLong = byte(6) >= 2;
    if (isLong && file.size() < fixed + 2)
        return npyFault("it ends within its header");
    const std::size_t start = isLong ? fixed + 2 : fixed;
    const std::size_t length = byte(8) | byte(9) << 8 | (isLong ? byte(10) << 16 | byte(11) << 24 : 0);
    if (length > file.size() - start)
        return npyFault("it ends within its header");
    return std::pair(file.substr(start, length), start + length);
}

/// Returns the tensor in row-major order. Fortran order is the row-major order of the reversed shape.
Tensor inRowOrder(const Tensor &tensor, std::size_t elementSize)
{
    std::vector<std::int64_t> strides(tensor.shape.size(), 1);
    for (std::size_t i = 1; i < strides.size(); ++i)
        strides[i] = strides[i - 1] * tensor.shape[i - 1];
    Tensor ordered{tensor.dtype, tensor.shape, {}};
    ordered.bytes.reserve(tensor.bytes.size());
    compute::forEachPlace(tensor.shape, strides, 0, [&](std::int64_t place) {
        ordered.bytes.append(tensor.bytes, static_cast<std::size_t>(place) * elementSize, elementSize);
    });
    return ordered;
}

} // namespace

Result<std::string> npyHeader(DType dtype, const std::vector<std::int64_t> &shape)
{
    const auto descr = descrOf(dtype);
    if (!descr)
        return usageError("NumPy's files hold no " + std::string(ir::name(dtype)));
    constexpr std::size_t alignment = 64, fixed = 10;
    std::string header =
        formatted("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", *descr, shapeText(shape));
    header.append(alignment - 1 - (fixed + header.size()) % alignment, ' ').append("\n");
    std::string file(magic);
    file += {'\1', '\0', static_cast<char>(header.size() & 0xff), static_cast<char>(header.size() >> 8)};
    return file + header;
}

Result<std::string> printNpy(const Tensor &tensor)
{
    const auto plain = widened(tensor);
    return npyHeader(plain ? plain->dtype : tensor.dtype, tensor.shape).transform([&](std::string header) {
        return std::move(header) + plain->bytes;
    });
}

Result<Tensor> parseNpy(std::string_view file)
{
    CUTAWAY_TRY(const auto header, headerOf(file));
    const auto &[text, start] = header;
    const auto descr = entry(text, "descr"), order = entry(text, "fortran_order"), sizes = entry(text, "shape");
    auto shape = sizes ? shapeOf(*sizes) : std::nullopt;
    if (!descr || !order || !shape)
        return npyFault("its header is '" + sanitized(text.substr(0, 100)) + "'");
    const std::string_view name = descr->substr(std::min<std::size_t>(1, descr->size()), descr->find('\'', 1) - 1);
    const auto *row = std::ranges::find(rows, name, &Row::descr);
    if (row == std::end(rows))
        return unreadable("elements of '" + sanitized(name.substr(0, 40))
                          + "' are not read; expected little-endian numbers");
    Tensor tensor{row->dtype, std::move(*shape), std::string(file.substr(start))};
    if (const auto fits = protocol::check(tensor); !fits)
        return npyFault(fits.error().message);
    if (order->starts_with("True") && !tensor.bytes.empty())
        return inRowOrder(tensor, static_cast<std::size_t>(*ir::bitWidth(tensor.dtype)) / 8);
    return tensor;
}

} // namespace cutaway::tensor
