// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/rules/onnx_maker.h"

#include "core/base/formatted.h"
#include "core/ir/tensors/tensor_numbers.h"

#include <cmath>
#include <cstring>

namespace cutaway::rules::to_onnx {

using ir::DType;
using ir::Operand;

namespace {

template <class T>
std::vector<std::byte> bytesOf(const std::vector<T> &numbers)
{
    std::vector<std::byte> bytes(numbers.size() * sizeof(T));
    if (!numbers.empty())
        std::memcpy(bytes.data(), numbers.data(), bytes.size());
    return bytes;
}

} // namespace

Term OnnxMaker::make(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes,
                     std::optional<DType> dtype)
{
    const DType made = dtype ? *dtype : inputs.empty() ? DType::Float32 : inputs.front().dtype;
    return makeAll(op, inputs, attributes, {made}).front();
}

std::vector<Term> OnnxMaker::makeAll(OnnxName op, const std::vector<Term> &inputs, const Attributes &attributes,
                                     const std::vector<DType> &dtypes)
{
    NewNode node{op, {}, attributes};
    for (const Term &input : inputs)
        node.inputs.push_back(input.operand);
    while (!node.inputs.empty() && node.inputs.back().as<ir::None>())
        node.inputs.pop_back();
    const ir::NodeRef made = m_graph.add(node, dtypes.size());
    std::vector<Term> terms;
    for (std::size_t i = 0; i < dtypes.size(); ++i)
        terms.push_back({this, made->outputs[i], dtypes[i]});
    return terms;
}

Operand OnnxMaker::list(std::span<const std::int64_t> numbers) { return ir::List{{numbers.begin(), numbers.end()}}; }

Term OnnxMaker::wholes(const std::vector<std::int64_t> &numbers, DType dtype)
{
    return {this, m_graph.constant(dtype, {std::ssize(numbers)}, ir::encodeNumbers(dtype, ir::Numbers(numbers))),
            dtype};
}

Term OnnxMaker::floats(const std::vector<float> &numbers)
{
    return {this, m_graph.constant(DType::Float32, {static_cast<std::int64_t>(numbers.size())}, bytesOf(numbers)),
            DType::Float32};
}

Term OnnxMaker::scalar(std::int64_t number) { return {this, m_graph.whole(number), DType::Int64}; }

Term OnnxMaker::scalar(double number, DType dtype)
{
    constexpr double limit = 0x1p63;
    if (!ir::isFloat(dtype) && !(std::abs(number) < limit)) {
        refuse(formatted("{} has no number {}", ir::name(dtype), number));
        return none();
    }
    const ir::Numbers numbers = ir::isFloat(dtype) ? ir::Numbers(std::vector{number})
                                                   : ir::Numbers(std::vector{static_cast<std::int64_t>(number)});
    return {this, m_graph.constant(dtype, {}, ir::encodeNumbers(dtype, numbers)), dtype};
}

// ---- arithmetic

namespace {

Term combined(OnnxName op, const Term &a, const Term &b) { return a.made->make(op, {a, b}); }

} // namespace

Term operator+(const Term &a, const Term &b) { return combined("Add", a, b); }
Term operator-(const Term &a, const Term &b) { return combined("Sub", a, b); }
Term operator*(const Term &a, const Term &b) { return combined("Mul", a, b); }
Term operator/(const Term &a, const Term &b) { return combined("Div", a, b); }
Term operator+(const Term &a, double b) { return a + a.made->scalar(b, a.dtype); }
Term operator-(const Term &a, double b) { return a - a.made->scalar(b, a.dtype); }
Term operator-(double a, const Term &b) { return b.made->scalar(a, b.dtype) - b; }
Term operator*(const Term &a, double b) { return a * a.made->scalar(b, a.dtype); }
Term operator/(const Term &a, double b) { return a / a.made->scalar(b, a.dtype); }
Term applied(OnnxName op, const Term &x) { return x.made->make(op, {x}); }

// ---- what many rules make

Term cast(const Term &x, DType dtype)
{
    if (x.dtype == dtype || x.isNone())
        return x;
    const auto number = ir::numberOf(dtype, ir::Numbering::Onnx);
    if (!number || ir::isComplex(dtype) || ir::isComplex(x.dtype)) {
        x.made->refuse(formatted("ONNX computes with no {}", ir::name(ir::isComplex(x.dtype) ? x.dtype : dtype)));
        return x;
    }
    return x.made->make("Cast", {x}, {{"to", *number}}, dtype);
}

Term reshape(const Term &x, const Term &shape) { return x.made->make("Reshape", {x, shape}); }

Term reshape(const Term &x, const std::vector<std::int64_t> &shape) { return reshape(x, x.made->ints(shape)); }

Term reshapeExactly(const Term &x, const Term &shape)
{
    return x.made->make("Reshape", {x, shape}, {{"allowzero", std::int64_t{1}}});
}

Term unsqueeze(const Term &x, const std::vector<std::int64_t> &axes)
{
    return x.made->make("Unsqueeze", {x, x.made->ints(axes)});
}

Term squeeze(const Term &x, const std::vector<std::int64_t> &axes)
{
    return x.made->make("Squeeze", {x, x.made->ints(axes)});
}

Term transpose(const Term &x, const std::vector<std::int64_t> &order)
{
    return x.made->make("Transpose", {x}, {{"perm", OnnxMaker::list(order)}});
}

Term transposed(const Term &x, std::size_t rank, std::size_t a, std::size_t b)
{
    Node::Numbers order = consecutive(0, rank);
    std::swap(order[a], order[b]);
    return transpose(x, order);
}

Term expand(const Term &x, const Term &shape) { return x.made->make("Expand", {x, shape}); }

Term slice(const Term &x, std::int64_t axis, const Term &start, const Term &end, std::int64_t step)
{
    return x.made->make("Slice", {x, vectorOf(start), vectorOf(end), x.made->ints({axis}), x.made->ints({step})});
}

Term slice(const Term &x, std::int64_t axis, std::int64_t start, std::int64_t end)
{
    const Term last = x.made->scalar(end), first = x.made->scalar(start);
    return slice(x, axis, first, last);
}

Term concat(const std::vector<Term> &parts, std::int64_t axis)
{
    return parts.size() == 1 ? parts.front() : parts.front().made->make("Concat", parts, {{"axis", axis}});
}

Term filled(const Term &shape, double number, DType dtype) { return expand(shape.made->scalar(number, dtype), shape); }

Term shapeOf(const Term &x) { return x.made->make("Shape", {x}, {}, DType::Int64); }

Term sizeOf(const Term &x, std::int64_t axis)
{
    return squeeze(x.made->make("Shape", {x}, {{"start", axis}, {"end", axis + 1}}, DType::Int64), {0});
}

Term vectorOf(const Term &x)
{
    const auto *value = x.operand.as<ir::ValueId>();
    const auto whole = value ? x.made->graph().wholeOf(*value) : std::nullopt;
    return whole ? x.made->ints({*whole}) : reshape(x, {-1});
}

Term reduce(OnnxName op, const Term &x, const std::vector<std::int64_t> &axes, bool keepDims)
{
    constexpr std::int64_t allHaveInput = 18;
    if (op == "ReduceSum" || x.made->opset() >= allHaveInput)
        return x.made->make(op, {x, x.made->ints(axes)}, {{"keepdims", std::int64_t{keepDims}}});
    return x.made->make(op, {x}, {{"axes", OnnxMaker::list(axes)}, {"keepdims", std::int64_t{keepDims}}});
}

Term where(const Term &condition, const Term &a, const Term &b)
{
    return a.made->make("Where", {condition, a, b}, {}, a.dtype);
}

Term compared(OnnxName op, const Term &a, const Term &b) { return a.made->make(op, {a, b}, {}, DType::Bool); }

} // namespace cutaway::rules::to_onnx
