// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/network/einsum.h"

#include "core/base/formatted.h"
#include "core/ops/facts/broadcast.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <array>
#include <deque>
#include <optional>

// Labels: a letter is its place in the alphabet "A…Za…z"; the dimensions that an ellipsis stands for follow, the last
// one having the same label in every operand (they broadcast). Pairs are contracted as in PyTorch, because the cost
// depends on the order. A label is summed if neither the result nor a further operand has it. If both operands of the
// pair have the label, it is summed in their product: it is the inner dimension of a batched matrix product. If only
// one has it, it is summed before they are multiplied. A pair with nothing to sum is multiplied element by element,
// which is not a matrix product.

namespace cutaway::ops {

namespace {

constexpr std::size_t letterCount = 52;
constexpr char ellipsis = '.';

std::optional<std::size_t> labelOf(char letter)
{
    if (letter >= 'A' && letter <= 'Z')
        return static_cast<std::size_t>(letter - 'A');
    if (letter >= 'a' && letter <= 'z')
        return static_cast<std::size_t>(letter - 'a') + 26;
    return std::nullopt;
}

/// Reads the letters of an operand or the result; an ellipsis is a single '.'.
Result<std::string> readTerm(std::string_view text)
{
    std::string term;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == ' ')
            continue;
        const bool isEllipsis = text.substr(i, 3) == "...";
        if (!isEllipsis && !labelOf(text[i]))
            return unreadable(formatted("einsum's equation has '{}' where a letter or \"...\" is expected", text[i]));
        if (isEllipsis && term.contains(ellipsis))
            return unreadable("einsum's equation has two ellipses in one operand");
        term += isEllipsis ? ellipsis : text[i];
        i += isEllipsis ? 2 : 0;
    }
    return term;
}

struct Equation {
    std::vector<std::string> operands;
    std::optional<std::string> result;
};

Result<Equation> readEquation(std::string_view text)
{
    Equation equation;
    const std::size_t arrow = text.find("->");
    std::string_view left = text.substr(0, arrow);
    for (bool isLast = false; !isLast;) {
        const std::size_t comma = left.find(',');
        isLast = comma == std::string_view::npos;
        CUTAWAY_TRY(auto term, readTerm(left.substr(0, comma)));
        equation.operands.push_back(std::move(term));
        left.remove_prefix(isLast ? left.size() : comma + 1);
    }
    if (arrow == std::string_view::npos)
        return equation;
    CUTAWAY_TRY(equation.result, readTerm(text.substr(arrow + 2)));
    return equation;
}

/// Returns the number of dimensions that the ellipsis of `term` stands for in an operand of `rank` dimensions.
Result<std::size_t> hiddenDimensions(const std::string &term, std::size_t rank)
{
    const bool hasEllipsis = term.contains(ellipsis);
    const std::size_t named = term.size() - (hasEllipsis ? 1 : 0);
    if (hasEllipsis ? named > rank : named != rank)
        return unreadable(formatted("einsum's equation names {} dimensions of an operand that has {}", named, rank));
    return rank - named;
}

std::vector<std::size_t> labelsOf(const std::string &term, std::size_t hidden, std::size_t mostHidden)
{
    std::vector<std::size_t> labels;
    for (const char c : term) {
        if (c != ellipsis)
            labels.push_back(*labelOf(c));
        else
            for (std::size_t i = mostHidden - hidden; i < mostHidden; ++i)
                labels.push_back(letterCount + i);
    }
    return labels;
}

/// Returns the labels of the result of an equation without "->": the ellipsis, then every letter that occurs once.
std::vector<std::size_t> impliedResult(const Einsum &einsum, std::size_t mostHidden)
{
    std::array<int, letterCount> counts{};
    for (const auto &labels : einsum.operands)
        for (const std::size_t label : labels)
            if (label < letterCount)
                ++counts[label];
    std::vector<std::size_t> result = labelsOf(std::string(1, ellipsis), mostHidden, mostHidden);
    for (std::size_t label = 0; label < letterCount; ++label)
        if (counts[label] == 1)
            result.push_back(label);
    return result;
}

Result<void> checkResult(const Einsum &einsum)
{
    for (std::size_t i = 0; i < einsum.result.size(); ++i) {
        const std::size_t label = einsum.result[i];
        const auto has = [label](const auto &labels) { return std::ranges::contains(labels, label); };
        if (std::ranges::none_of(einsum.operands, has))
            return unreadable("einsum's result has a letter that no operand has");
        if (std::ranges::count(einsum.result, label) > 1)
            return unreadable("einsum's result has a letter twice");
    }
    return {};
}

Result<void> fitSizes(Einsum &einsum, std::span<const ir::Shape *const> shapes)
{
    for (std::size_t i = 0; i < shapes.size(); ++i)
        for (std::size_t j = 0; j < einsum.operands[i].size(); ++j) {
            ir::Dim &size = einsum.sizes[einsum.operands[i][j]];
            const ir::Dim &other = (*shapes[i])[j];
            const auto fitted = broadcast({&size, 1}, {&other, 1});
            if (!fitted)
                return unreadable(
                    formatted("einsum gives the sizes {} and {} one letter", ir::print(size), ir::print(other)));
            size = fitted->front();
        }
    return {};
}

/// A factor while pairs are contracted: an operand or a product. It has a size for each label, 1 for a label that it
/// lacks.
using Factor = std::vector<ir::Dim>;

class Contraction {
public:
    Contraction(const Einsum &einsum, std::span<const ir::Shape *const> shapes)
        : m_einsum(einsum),
          m_counts(einsum.sizes.size())
    {
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            Factor &factor = m_factors.emplace_back(einsum.sizes.size(), std::int64_t{1});
            for (std::size_t j = 0; j < einsum.operands[i].size(); ++j)
                factor[einsum.operands[i][j]] = (*shapes[i])[j];
            for (std::size_t label = 0; label < factor.size(); ++label)
                m_counts[label] += isOne(factor[label]) ? 0 : 1;
        }
    }

    EinsumWork work(std::span<const std::int64_t> path)
    {
        ir::Dim total = std::int64_t{0};
        if (m_factors.size() == 1)
            m_sums = std::ranges::any_of(m_einsum.operands.front(), [&](std::size_t label) { return !isKept(label); });
        for (std::size_t step = 0; m_factors.size() > 1; ++step) {
            std::size_t i = 0, j = 1;
            if (!path.empty()) {
                const auto pair = pairAt(path, step);
                if (!pair)
                    return {ir::UnknownDim{}, m_sums};
                std::tie(i, j) = *pair;
            }
            Factor b = take(j), a = take(i);
            total = plus(total, contract(a, b));
            if (path.empty())
                m_factors.push_front(std::move(a));
            else
                m_factors.push_back(std::move(a));
        }
        return {total, m_sums};
    }

private:
    bool isKept(std::size_t label) const { return std::ranges::contains(m_einsum.result, label); }

    std::optional<std::pair<std::size_t, std::size_t>> pairAt(std::span<const std::int64_t> path, std::size_t step)
    {
        if (path.size() < 2 * step + 2)
            return std::nullopt;
        const auto [i, j] = std::minmax(path[2 * step], path[2 * step + 1]);
        if (i < 0 || i == j || j >= std::ssize(m_factors))
            return std::nullopt;
        return std::pair(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
    }

    Factor take(std::size_t position)
    {
        Factor factor = std::move(m_factors[position]);
        m_factors.erase(m_factors.begin() + static_cast<std::ptrdiff_t>(position));
        return factor;
    }

    /// Contracts two factors; the product replaces `a`. Returns its FLOPs: twice the product of all labels' sizes, or
    /// 0 if the pair is multiplied element by element, which is no matrix product.
    ir::Dim contract(Factor &a, const Factor &b)
    {
        ir::Dim flops = std::int64_t{2};
        bool isProduct = false;
        for (std::size_t label = 0; label < a.size(); ++label) {
            const bool inA = !isOne(a[label]), inB = !isOne(b[label]);
            if (inA && inB)
                --m_counts[label];
            const bool isSummed = !isKept(label) && (inA || inB) && m_counts[label] == 1;
            if (inA != inB && isSummed) {
                m_sums = true;
                a[label] = std::int64_t{1}; // summed over before the product
                m_counts[label] = 0;
                continue;
            }
            if (!inA)
                a[label] = b[label];
            flops = times(flops, a[label]);
            if (isSummed) {
                a[label] = std::int64_t{1};
                m_counts[label] = 0;
                isProduct = true;
            }
        }
        return isProduct ? flops : ir::Dim(std::int64_t{0});
    }

    const Einsum &m_einsum;
    bool m_sums = false;       ///< whether something is summed outside of a product
    std::vector<int> m_counts; ///< by label: the number of factors left that have it, with a size other than 1
    std::deque<Factor> m_factors;
};

} // namespace

ir::Shape Einsum::resultShape() const
{
    ir::Shape shape;
    for (const std::size_t label : result)
        shape.push_back(sizes[label]);
    return shape;
}

Result<Einsum> readEinsum(std::string_view text, std::span<const ir::Shape *const> shapes)
{
    CUTAWAY_TRY(const auto equation, readEquation(text));
    if (equation.operands.size() != shapes.size())
        return unreadable(
            formatted("einsum's equation is for {} operands, not {}", equation.operands.size(), shapes.size()));
    std::vector<std::size_t> hidden;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        CUTAWAY_TRY(const auto count, hiddenDimensions(equation.operands[i], shapes[i]->size()));
        hidden.push_back(count);
    }
    const std::size_t mostHidden = std::ranges::max(hidden);
    Einsum einsum{{}, {}, std::vector<ir::Dim>(letterCount + mostHidden, std::int64_t{1})};
    for (std::size_t i = 0; i < shapes.size(); ++i)
        einsum.operands.push_back(labelsOf(equation.operands[i], hidden[i], mostHidden));
    einsum.result =
        equation.result ? labelsOf(*equation.result, mostHidden, mostHidden) : impliedResult(einsum, mostHidden);
    CUTAWAY_RETURN_IF_ERROR(checkResult(einsum).and_then([&] { return fitSizes(einsum, shapes); }));
    return einsum;
}

std::string einsumLetters(std::span<const ir::Dim> sublist)
{
    std::string letters;
    for (const ir::Dim &dim : sublist) {
        const auto label = number(dim);
        if (!label || *label < 0 || *label >= static_cast<std::int64_t>(letterCount))
            return {};
        letters += static_cast<char>(*label < 26 ? 'A' + *label : 'a' + (*label - 26));
    }
    return letters;
}

EinsumWork einsumWork(const Einsum &einsum, std::span<const ir::Shape *const> shapes,
                      std::span<const std::int64_t> path)
{
    return Contraction(einsum, shapes).work(path);
}

} // namespace cutaway::ops
