// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/diff/shared_attributes.h"

#include <algorithm>
#include <array>

namespace cutaway::diff {

namespace {

struct Attribute {
    std::string_view aten, onnx;
};
constexpr std::array attributes{
    Attribute{"stride", "strides"}, Attribute{"padding", "pads"},        Attribute{"dilation", "dilations"},
    Attribute{"groups", "group"},   Attribute{"eps", "epsilon"},         Attribute{"kernel_size", "kernel_shape"},
    Attribute{"transA", "transA"},  Attribute{"is_causal", "is_causal"},
};

using Numbers = std::vector<double>;

std::optional<Numbers> numbersOf(const ops::Fact &fact)
{
    if (const auto flag = ops::asBool(fact))
        return Numbers{*flag ? 1.0 : 0.0};
    if (const auto list = ops::asInts(fact)) {
        Numbers numbers;
        for (const ir::Dim &dim : *list) {
            const auto *size = std::get_if<std::int64_t>(&dim);
            if (!size)
                return {};
            numbers.push_back(static_cast<double>(*size));
        }
        return numbers;
    }
    if (const auto whole = ops::asInt(fact))
        if (const auto *size = std::get_if<std::int64_t>(&*whole))
            return Numbers{static_cast<double>(*size)};
    const auto number = ops::asFloat(fact);
    // ONNX keeps single precision.
    return number ? std::optional(Numbers{static_cast<double>(static_cast<float>(*number))}) : std::nullopt;
}

std::optional<Numbers> numbersOf(Operands &side, const ir::NodeRef &node, const Attribute &attribute)
{
    for (const std::string_view name : {attribute.aten, attribute.onnx}) {
        if (const ir::Operand *given = node.argument(name))
            return numbersOf(side.constant(*given));
        if (const ops::Fact *usual = side.defaultOf(node, name))
            return numbersOf(*usual);
    }
    return {};
}

bool allEqual(const Numbers &numbers)
{
    return std::ranges::adjacent_find(numbers, std::ranges::not_equal_to()) == numbers.end();
}

/// [1, 1, 1, 1] is the padding [1, 1] and 1.
bool saySame(Numbers a, Numbers b)
{
    if (a == b || a.empty() || b.empty())
        return true;
    if (a.size() > b.size())
        std::swap(a, b);
    if (allEqual(a) && allEqual(b))
        return a[0] == b[0];
    if (b.size() != 2 * a.size())
        return false;
    const auto half = b.begin() + static_cast<std::ptrdiff_t>(a.size());
    return std::equal(a.begin(), a.end(), b.begin()) && std::equal(a.begin(), a.end(), half);
}

std::string text(const Numbers &numbers)
{
    ir::Shape shape;
    for (const double number : numbers)
        shape.emplace_back(static_cast<std::int64_t>(number));
    const bool isWhole = std::ranges::equal(numbers, shape, [](double number, const ir::Dim &dim) {
        return number == static_cast<double>(std::get<std::int64_t>(dim));
    });
    return isWhole ? ir::print(shape) : std::to_string(numbers[0]);
}

} // namespace

void compareSharedAttributes(Operands &a, const ir::NodeRef &nodeA, Operands &b, const ir::NodeRef &nodeB,
                             std::vector<Change> &changes)
{
    for (const Attribute &attribute : attributes) {
        const auto before = numbersOf(a, nodeA, attribute), after = numbersOf(b, nodeB, attribute);
        if (before && after && !saySame(*before, *after))
            changes.push_back({Change::Kind::Argument, std::string(attribute.aten), text(*before), text(*after)});
    }
}

} // namespace cutaway::diff
