// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/compute/places.h"
#include "core/ops/compute/tensor_rules.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

namespace cutaway::compute {

namespace {

/// The subscripts of an operand, as a label for each of its dimensions; the labels of dimensions in an ellipsis are
/// negative, that of the last one is -1.
using Labels = std::vector<int>;

std::optional<Labels> labelsOf(std::string_view text, std::size_t rank)
{
    const auto letters = static_cast<std::size_t>(std::ranges::count_if(text, [](char c) { return c != '.'; }));
    const bool hasEllipsis = text.contains("...");
    if (letters > rank || (!hasEllipsis && letters != rank))
        return std::nullopt;
    Labels labels;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '.') {
            for (std::size_t k = rank - letters; k > 0; --k)
                labels.push_back(-static_cast<int>(k));
            i += 2;
        } else {
            labels.push_back(text[i]);
        }
    return labels.size() == rank ? std::optional(labels) : std::nullopt;
}

struct Contraction {
    std::vector<Labels> operands;
    Labels result, summed;
    std::map<int, std::int64_t> sizes;
};

/// Returns the result's labels if the equation omits them: those of an ellipsis, then letters that occur once.
Labels impliedResult(const Contraction &c, std::string_view inputs)
{
    Labels result;
    for (const auto &[label, size] : c.sizes)
        if (label < 0 || std::ranges::count(inputs, static_cast<char>(label)) == 1)
            result.push_back(label); // ellipsis dimensions come first, then letters in their order
    return result;
}

/// Returns the result's labels after the arrow of the equation.
Labels listedResult(const Contraction &c, std::string_view text)
{
    Labels result;
    for (std::size_t i = 0; i < text.size(); ++i)
        if (text[i] == '.') {
            for (const auto &[label, size] : c.sizes)
                if (label < 0)
                    result.push_back(label);
            i += 2;
        } else {
            result.push_back(text[i]);
        }
    return result;
}

/// Notes an operand and the sizes of its labels. False: a label has two sizes, neither of them 1.
bool addOperand(Contraction &c, const Labels &labels, const Sizes &shape)
{
    for (std::size_t d = 0; d < labels.size(); ++d) {
        std::int64_t &size = c.sizes.try_emplace(labels[d], 1).first->second;
        if (size != 1 && shape[d] != 1 && size != shape[d])
            return false;
        size = size == 1 ? shape[d] : size;
    }
    c.operands.push_back(labels);
    return true;
}

std::optional<Contraction> contractionOf(std::string equation, const std::vector<const Array *> &operands)
{
    std::erase(equation, ' ');
    const std::size_t arrow = equation.find("->");
    const std::string inputs = equation.substr(0, arrow);
    Contraction c;
    std::size_t at = 0;
    for (const Array *operand : operands) {
        const std::size_t end = std::min(inputs.find(',', at), inputs.size());
        const auto labels =
            labelsOf(std::string_view(inputs).substr(std::min(at, inputs.size()), end - at), operand->shape.size());
        if (!labels || !addOperand(c, *labels, operand->shape))
            return std::nullopt;
        at = end + 1;
    }
    c.result = arrow == equation.npos ? impliedResult(c, inputs)
                                      : listedResult(c, std::string_view(equation).substr(arrow + 2));
    for (const int label : c.result)
        if (!c.sizes.contains(label))
            return std::nullopt;
    for (const auto &[label, size] : c.sizes)
        if (!std::ranges::contains(c.result, label))
            c.summed.push_back(label);
    return c;
}

Sizes sizesFor(const Contraction &c, const Labels &labels)
{
    Sizes sizes;
    for (const int label : labels)
        sizes.push_back(c.sizes.at(label));
    return sizes;
}

/// Returns the stride of an operand along each of the labels `along`: 0 if the operand lacks the label, or has size 1
/// there and is broadcast.
Sizes stepsFor(const Labels &labels, const Array &operand, const Labels &along)
{
    const Sizes strides = stridesOf(operand.shape);
    Sizes steps;
    for (const int label : along) {
        std::int64_t step = 0;
        for (std::size_t d = 0; d < labels.size(); ++d)
            step += labels[d] == label && operand.shape[d] != 1 ? strides[d] : 0;
        steps.push_back(step);
    }
    return steps;
}

Places placesFor(const Sizes &sizes, const Sizes &steps)
{
    Places places;
    forEachPlace(sizes, steps, 0, [&](std::int64_t place) { places.push_back(place); });
    return places;
}

} // namespace

Answer einsum(const Call &call)
{
    const auto operands = call.arrays(call.isOnnx() ? 0 : 1);
    const std::string_view equation = call.facts().text("equation");
    const auto c = operands && !operands->empty() && !equation.empty() && !call.facts().has("path")
        ? contractionOf(std::string(equation), *operands)
        : std::nullopt;
    if (!c)
        return std::nullopt;
    const Sizes shape = sizesFor(*c, c->result), summed = sizesFor(*c, c->summed);
    if (static_cast<double>(countOf(shape)) * static_cast<double>(countOf(summed)) > 3e8)
        return std::nullopt;
    std::vector<std::vector<double>> floats;
    std::vector<Places> outer, inner;
    for (std::size_t i = 0; i < operands->size(); ++i) {
        floats.push_back(floatsOf(*(*operands)[i]));
        outer.push_back(placesFor(shape, stepsFor(c->operands[i], *(*operands)[i], c->result)));
        inner.push_back(placesFor(summed, stepsFor(c->operands[i], *(*operands)[i], c->summed)));
    }
    std::vector<double> result;
    for (std::size_t r = 0; r < static_cast<std::size_t>(countOf(shape)); ++r) {
        double sum = 0;
        for (std::size_t s = 0; s < static_cast<std::size_t>(countOf(summed)); ++s) {
            double product = 1;
            for (std::size_t i = 0; i < floats.size(); ++i)
                product *= floats[i][static_cast<std::size_t>(outer[i][r] + inner[i][s])];
            sum += product;
        }
        result.push_back(sum);
    }
    const bool isSmall = std::ranges::all_of(result, [](double x) { return std::abs(x) < 0x1p53; });
    const auto dtype = call.dtype();
    return (dtype && ir::isFloat(*dtype)) || isSmall ? answer(Array{ir::DType::Float64, shape, std::move(result)})
                                                     : std::nullopt;
}

} // namespace cutaway::compute
