// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/memory.h"

#include "core/base/checked.h"
#include "core/ir/node_ref.h"
#include "core/ops/facts/dim_arithmetic.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <cassert>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <ranges>
#include <unordered_map>

// The peak while sizes are formulas. The bytes of a storage are a sum of terms, number * product of symbols; what is
// alive at a step is then a vector of numbers, one per product, and from step to step some are added and some taken
// away. As no product is negative, a step whose numbers are all at most those of another can never be the peak. What is
// left, mostly one step or two, makes the formula: max(4*s0*s1, 8*s0 + 400).

namespace cutaway::analysis {

namespace {

using symbolic::Expr;
using symbolic::Kind;

/// A maximum of more steps than this is too long a formula to be read.
constexpr std::size_t maxCandidates = 64;
/// Sizes of so many kinds come from no exporter.
constexpr std::size_t maxProducts = 512;

/// Numbers by product, the first that of 1; missing ones are 0. A size that is not known, or overflows, has none.
using Terms = boost::container::small_vector<std::int64_t, 2>;

class Products {
public:
    /// nullptr if there are none. Valid as long as this.
    const Terms *termsOf(const ir::Dim &bytes)
    {
        const auto *formula = std::get_if<Expr>(&bytes);
        std::optional<Terms> *terms = nullptr;
        if (formula) {
            const auto [known, isNew] = m_formulas.try_emplace(formula->identity());
            terms = &known->second;
            if (isNew)
                *terms = split(bytes);
        } else if (const auto n = ops::number(bytes)) {
            const auto [known, isNew] = m_numbers.try_emplace(*n);
            terms = &known->second;
            if (isNew)
                *terms = split(bytes);
        }
        return terms && *terms ? &**terms : nullptr;
    }

    /// Blocks of a network repeat, and so do sums.
    ir::Dim sum(const Terms &terms)
    {
        if (std::ranges::none_of(terms | std::views::drop(1), std::identity()))
            return terms.empty() ? std::int64_t{0} : terms[0];
        const auto [known, isNew] = m_sums.try_emplace(terms);
        if (isNew)
            known->second = total(terms);
        return known->second;
    }

private:
    /// All at once: a sum of each two would be one more formula to put in order.
    ir::Dim total(const Terms &terms) const
    {
        std::vector<Expr> parts;
        for (std::size_t i = 0; i < terms.size(); ++i) {
            const ir::Dim part = i == 0 ? ir::Dim(terms[0]) : ops::times(terms[i], m_products[i]);
            if (const auto *formula = std::get_if<Expr>(&part))
                parts.push_back(*formula);
            else if (const auto n = ops::number(part); !n)
                return ir::UnknownDim{};
            else if (*n != 0)
                parts.push_back(Expr::integer(*n));
        }
        return parts.size() == 1 ? parts.front() : Expr::make(Kind::Add, std::move(parts));
    }

    std::optional<Terms> split(const ir::Dim &bytes)
    {
        Terms terms;
        m_fits = true;
        if (const auto n = ops::number(bytes))
            add(terms, 0, *n);
        else if (const auto *expr = std::get_if<Expr>(&bytes))
            for (const Expr &term : expr->kind() == Kind::Add ? expr->operands() : std::vector{*expr})
                addTerm(terms, term);
        else
            return std::nullopt;
        return m_fits && m_products.size() <= maxProducts ? std::optional(terms) : std::nullopt;
    }

    void addTerm(Terms &terms, const Expr &term)
    {
        const bool hasNumber = term.kind() == Kind::Multiply && term.operands()[0].kind() == Kind::Integer;
        if (term.kind() == Kind::Integer)
            return add(terms, 0, term.integerValue());
        if (!hasNumber)
            return add(terms, indexOf(term), 1);
        std::vector<Expr> rest(term.operands().begin() + 1, term.operands().end());
        const Expr product = rest.size() == 1 ? rest[0] : Expr::make(Kind::Multiply, std::move(rest));
        add(terms, indexOf(product), term.operands()[0].integerValue());
    }

    std::size_t indexOf(const Expr &product)
    {
        const auto found = std::ranges::find(m_products, product);
        const auto i = found - m_products.begin();
        if (found == m_products.end())
            m_products.push_back(product);
        return static_cast<std::size_t>(i);
    }

    void add(Terms &terms, std::size_t i, std::int64_t count)
    {
        if (terms.size() <= i)
            terms.resize(i + 1, 0);
        const auto sum = checkedAdd(terms[i], count); // a product stands there twice if its numbers overflow
        m_fits = m_fits && sum;
        terms[i] = sum.value_or(0);
    }

    bool m_fits = true; ///< what is being split
    std::vector<Expr> m_products{Expr::integer(1)};
    std::map<Terms, ir::Dim> m_sums;
    std::unordered_map<const void *, std::optional<Terms>> m_formulas; ///< by the identity; they outlive this
    std::unordered_map<std::int64_t, std::optional<Terms>> m_numbers;
};

bool addTo(Terms &sum, const Terms &terms, std::int64_t sign)
{
    if (sum.size() < terms.size())
        sum.resize(terms.size(), 0);
    for (std::size_t i = 0; i < terms.size(); ++i) {
        const auto total = sign > 0 ? checkedAdd(sum[i], terms[i]) : checkedSubtract(sum[i], terms[i]);
        if (!total)
            return false;
        sum[i] = *total;
    }
    return true;
}

bool isAtMost(const Terms &a, const Terms &b)
{
    for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i)
        if ((i < a.size() ? a[i] : 0) > (i < b.size() ? b[i] : 0))
            return false;
    return true;
}

/// The steps that no other one outdoes for all values of the symbols.
class Peak {
public:
    void offer(std::size_t step, const Terms &terms)
    {
        const auto outdoes = [&](const Candidate &other) { return isAtMost(terms, other.terms); };
        if (std::ranges::any_of(m_candidates, outdoes))
            return;
        std::erase_if(m_candidates, [&](const Candidate &other) { return isAtMost(other.terms, terms); });
        m_candidates.push_back({step, terms});
    }

    ir::Dim bytes(Products &products) const
    {
        if (m_candidates.size() > maxCandidates)
            return ir::UnknownDim{};
        ir::Dim largest = std::int64_t{0};
        for (const Candidate &candidate : m_candidates)
            largest = &candidate == &m_candidates.front() ? products.sum(candidate.terms)
                                                          : ops::maximum(largest, products.sum(candidate.terms));
        return largest;
    }

    std::optional<std::size_t> step() const
    {
        return m_candidates.size() == 1 ? std::optional(m_candidates.front().step) : std::nullopt;
    }

private:
    struct Candidate {
        std::size_t step;
        Terms terms;
    };
    std::vector<Candidate> m_candidates;
};

class Schedule {
public:
    Schedule(const ir::Function &function, const Shapes &shapes)
        : m_graph(function.graph),
          m_shapes(shapes),
          m_indices(shapes.storages.size(), nowhere)
    {
        m_storages.reserve(shapes.storages.size());
        std::uint32_t step = 0;
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                use(*value, step);
        for (const ir::NodeRef node : ir::nodesOf(m_graph))
            visit(node, ++step);
        ++step;
        for (const ir::FunctionOutput &output : function.outputs)
            ir::forEachValue(output.value, [&](ir::ValueId value) { use(value, step); });
    }

    /// In the order of their beginnings.
    std::vector<LiveStorage> take()
    {
        assert(std::ranges::is_sorted(m_storages, {}, &LiveStorage::first));
        return std::move(m_storages);
    }

private:
    /// A region uses values from outside for the node that it belongs to.
    void visit(const ir::NodeRef &node, std::uint32_t step)
    {
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [&](ir::ValueId value) { use(value, step); });
        for (const ir::RegionId region : node->regions)
            visitRegion(region, step);
        for (const ir::ValueId output : node->outputs)
            use(output, step);
    }

    void visitRegion(ir::RegionId region, std::uint32_t step)
    {
        const auto reuse = [&](ir::ValueId value) { use(value, step, false); };
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, reuse);
            for (const ir::RegionId inner : node->regions)
                visitRegion(inner, step);
        }
        for (const ir::Operand &output : m_graph.at(region).outputs)
            ir::forEachValue(output, reuse);
    }

    void use(ir::ValueId value, std::uint32_t step, bool mayBeNew = true)
    {
        if (m_shapes.of(value).as<ops::AnyFact>()) // it may be a tensor
            use(m_unknown.try_emplace(value, nowhere).first->second, value, ir::UnknownDim{}, step, mayBeNew);
        const auto useStorage = [&](const ops::TensorFact &tensor) {
            const auto number = static_cast<std::size_t>(tensor.storage);
            if (tensor.storage > ops::StorageNumber::Weights)
                use(m_indices[number], value, m_shapes.storages[number], step, mayBeNew);
        };
        ops::forEachTensor(m_shapes.of(value), useStorage);
        if (const auto then = m_shapes.reshaped.find(value); then != m_shapes.reshaped.end())
            ops::forEachTensor(then->second, useStorage);
    }

    void use(std::uint32_t &index, ir::ValueId value, const ir::Dim &bytes, std::uint32_t step, bool mayBeNew)
    {
        if (index != nowhere)
            m_storages[index].last = step;
        else if (mayBeNew) {
            index = static_cast<std::uint32_t>(m_storages.size());
            m_storages.push_back({value, bytes, step, step});
        }
    }

    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    const ir::Graph &m_graph;
    const Shapes &m_shapes;
    std::vector<LiveStorage> m_storages;
    std::vector<std::uint32_t> m_indices; ///< in m_storages, by StorageNumber
    std::map<ir::ValueId, std::uint32_t> m_unknown;
};

} // namespace

std::vector<const LiveStorage *> Memory::aliveAt(std::size_t step) const
{
    std::vector<const LiveStorage *> found;
    for (const LiveStorage &storage : storages)
        if (storage.first <= step && step <= storage.last)
            found.push_back(&storage);
    return found;
}

Memory liveMemory(const ir::Model &model, ir::FunctionId id, const Shapes &shapes)
{
    const ir::Function &function = model.at(id);
    Memory memory;
    memory.storages = Schedule(function, shapes).take();
    memory.alive.reserve(function.graph.at(ir::Graph::body).nodes.size() + 2);
    const std::size_t steps = function.graph.at(ir::Graph::body).nodes.size() + 2;
    Products products;
    std::vector<const Terms *> terms;
    terms.reserve(memory.storages.size());
    for (const LiveStorage &storage : memory.storages)
        terms.push_back(products.termsOf(storage.bytes));
    std::vector<std::uint32_t> byEnd(memory.storages.size()); // they are in the order of their beginnings
    std::iota(byEnd.begin(), byEnd.end(), 0u);
    std::ranges::stable_sort(byEnd, {}, [&](std::uint32_t i) { return memory.storages[i].last; });
    Peak peak;
    Terms alive;
    std::size_t unknown = 0; // storages that are alive
    bool isKnown = true;
    std::size_t begun = 0, ended = 0;
    for (std::size_t step = 0; step < steps; ++step) {
        for (; begun < terms.size() && memory.storages[begun].first == step; ++begun)
            terms[begun] ? void(isKnown = isKnown && addTo(alive, *terms[begun], 1)) : void(++unknown);
        memory.alive.push_back(unknown == 0 && isKnown ? products.sum(alive) : ir::Dim(ir::UnknownDim{}));
        peak.offer(step, alive);
        for (; ended < byEnd.size() && memory.storages[byEnd[ended]].last == step; ++ended) {
            const Terms *gone = terms[byEnd[ended]];
            gone ? void(isKnown = isKnown && addTo(alive, *gone, -1)) : void(--unknown);
        }
    }
    if (!isKnown)
        return memory;
    const ir::Dim bytes = peak.bytes(products);
    memory.peakAtLeast = ops::isKnown(bytes) ? bytes : ir::Dim(std::int64_t{0});
    if (std::ranges::none_of(terms, [](const Terms *known) { return !known; })) {
        memory.peak = bytes;
        memory.peakStep = peak.step();
    }
    return memory;
}

} // namespace cutaway::analysis
