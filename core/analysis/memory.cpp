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

/// When storages live. A moment is a node, those in regions included, or the beginning or end of a region; moments of
/// nodes in regions lie between the two moments of the node around them.
class Schedule {
public:
    struct Life {
        LiveStorage storage;       ///< in steps
        std::uint32_t first, last; ///< moments
        bool isInside;             ///< begins in a region or a called function
        std::uint32_t *index;      ///< where the schedule finds it
    };

    /// `firstStorage`: those with lower numbers are not looked at.
    Schedule(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
             std::uint32_t firstStorage = 0)
        : m_graph(function.graph),
          m_shapes(shapes),
          m_bytes(bytes),
          m_firstStorage(std::max(firstStorage, static_cast<std::uint32_t>(ops::StorageNumber::Weights) + 1)),
          m_indices(bytes.size() - std::min<std::size_t>(m_firstStorage, bytes.size()), nowhere)
    {
        m_lives.reserve(m_indices.size());
        for (const ir::FunctionInput &input : function.inputs)
            if (const auto *value = input.value.as<ir::ValueId>())
                use(*value);
        for (const ir::NodeRef node : ir::nodesOf(m_graph)) {
            ++m_step;
            visit(node);
        }
        ++m_step;
        nextMoment();
        for (const ir::FunctionOutput &output : function.outputs)
            ir::forEachValue(output.value, [this](ir::ValueId value) { use(value); });
    }

    /// In the order of their beginnings.
    std::vector<Life> &lives() { return m_lives; }
    /// By moment.
    const std::vector<std::uint32_t> &steps() const { return m_steps; }
    std::uint32_t stepCount() const { return m_step + 1; }

private:
    void nextMoment() { m_steps.push_back(m_step); }
    std::uint32_t moment() const { return static_cast<std::uint32_t>(m_steps.size() - 1); }

    void visit(const ir::NodeRef &node)
    {
        nextMoment();
        const bool hasInside = visitInside(node);
        for (const ir::Argument &argument : node->arguments)
            ir::forEachValue(argument.value, [this](ir::ValueId value) { use(value); });
        const std::size_t outside = m_lives.size();
        for (const ir::RegionId region : node->regions)
            useCaptured(region, outside);
        if (hasInside) {
            m_insideDepth += 1;
            for (const ir::RegionId region : node->regions)
                if (mayRun(region)) {
                    const std::size_t before = m_lives.size();
                    visitRegion(region);
                    forget(before); // a result that lies in one of them begins anew, after all branches
                }
            m_insideDepth -= 1;
            nextMoment();
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, [this](ir::ValueId value) { use(value); });
            for (const ir::RegionId region : node->regions)
                useCaptured(region, outside);
        }
        for (const ir::ValueId output : node->outputs)
            use(output);
    }

    bool mayRun(ir::RegionId region) const { return m_shapes.reached[region.index] != Reached::Never; }

    /// Adds what lives and dies in a called function. Returns whether the node has regions that may run.
    bool visitInside(const ir::NodeRef &node)
    {
        const auto called = m_shapes.inside.find(node);
        if (called != m_shapes.inside.end() && ops::number(called->second) != 0 && !node->outputs.empty())
            m_lives.push_back(
                {{node->outputs.front(), called->second, m_step, m_step}, moment(), moment(), true, nullptr});
        // PyTorch's measurements of a program of torch.export take its cond and its loops for one node each.
        const bool isOneNode = node.dialect() == "higher_order";
        return !isOneNode && std::ranges::any_of(node->regions, [this](ir::RegionId region) { return mayRun(region); });
    }

    /// Ends the lives from one on.
    void forget(std::size_t first)
    {
        for (std::size_t i = first; i < m_lives.size(); ++i)
            if (m_lives[i].index)
                *m_lives[i].index = nowhere;
    }

    void visitRegion(ir::RegionId region)
    {
        nextMoment();
        for (const ir::ValueId input : m_graph.at(region).inputs)
            use(input);
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region))
            visit(node);
        nextMoment();
        for (const ir::Operand &output : m_graph.at(region).outputs)
            ir::forEachValue(output, [this](ir::ValueId value) { use(value); });
    }

    /// A region uses values from outside, which are the first `outside` storages, for the node that it belongs to.
    void useCaptured(ir::RegionId region, std::size_t outside)
    {
        const auto reuse = [&](ir::ValueId value) { use(value, outside); };
        for (const ir::NodeRef node : ir::nodesOf(m_graph, region)) {
            for (const ir::Argument &argument : node->arguments)
                ir::forEachValue(argument.value, reuse);
            for (const ir::RegionId inner : node->regions)
                useCaptured(inner, outside);
        }
        for (const ir::Operand &output : m_graph.at(region).outputs)
            ir::forEachValue(output, reuse);
    }

    /// `known`: as many storages may be used; by default all, and new ones.
    void use(ir::ValueId value, std::size_t known = anew)
    {
        if (m_shapes.of(value).as<ops::AnyFact>()) // it may be a tensor
            use(m_unknown.try_emplace(value, nowhere).first->second, value, ir::UnknownDim{}, known);
        const auto useStorage = [&](const ops::TensorFact &tensor) {
            const auto number = static_cast<std::uint32_t>(tensor.storage);
            if (number >= m_firstStorage)
                use(m_indices[number - m_firstStorage], value, m_bytes[number], known);
        };
        ops::forEachTensor(m_shapes.of(value), useStorage);
        if (const auto then = m_shapes.reshaped.find(value); then != m_shapes.reshaped.end())
            ops::forEachTensor(then->second, useStorage);
    }

    void use(std::uint32_t &index, ir::ValueId value, const ir::Dim &bytes, std::size_t known)
    {
        if (index != nowhere && index < known) {
            m_lives[index].last = moment();
            m_lives[index].storage.last = m_step;
        } else if (index == nowhere && known == anew) {
            index = static_cast<std::uint32_t>(m_lives.size());
            m_lives.push_back({{value, bytes, m_step, m_step}, moment(), moment(), m_insideDepth > 0, &index});
        }
    }

    static constexpr std::size_t anew = std::numeric_limits<std::size_t>::max();
    static constexpr std::uint32_t nowhere = std::numeric_limits<std::uint32_t>::max();
    const ir::Graph &m_graph;
    const Shapes &m_shapes;
    const std::span<const ir::Dim> m_bytes;
    const std::uint32_t m_firstStorage;
    std::uint32_t m_step = 0;
    std::vector<std::uint32_t> m_steps{0}; ///< by moment
    int m_insideDepth = 0;
    std::vector<Life> m_lives;
    std::vector<std::uint32_t> m_indices; ///< in m_lives, by StorageNumber from m_firstStorage on
    std::map<ir::ValueId, std::uint32_t> m_unknown;
};

/// Goes through the moments with what is alive at each.
class Timeline {
public:
    explicit Timeline(Schedule &schedule) : m_schedule(schedule), m_alive(schedule.stepCount())
    {
        const std::vector<Schedule::Life> &lives = schedule.lives();
        for (const Schedule::Life &life : lives)
            m_terms.push_back(m_products.termsOf(life.storage.bytes));
        std::vector<std::uint32_t> byEnd(lives.size()); // they are in the order of their beginnings
        std::iota(byEnd.begin(), byEnd.end(), 0u);
        std::ranges::stable_sort(byEnd, {}, [&](std::uint32_t i) { return lives[i].last; });
        std::size_t begun = 0, ended = 0;
        for (std::uint32_t moment = 0; moment < schedule.steps().size(); ++moment) {
            for (; begun < lives.size() && lives[begun].first == moment; ++begun)
                m_terms[begun] ? void(m_isKnown = m_isKnown && addTo(m_now, *m_terms[begun], 1)) : void(++m_unknown);
            note(moment);
            for (; ended < byEnd.size() && lives[byEnd[ended]].last == moment; ++ended) {
                const Terms *gone = m_terms[byEnd[ended]];
                gone ? void(m_isKnown = m_isKnown && addTo(m_now, *gone, -1)) : void(--m_unknown);
            }
        }
    }

    /// Each storage, or what is told of those inside: see Memory.
    Memory memory()
    {
        Memory memory;
        for (Step &step : m_alive)
            memory.alive.push_back(step.isKnown && m_isKnown ? step.peak.bytes(m_products) : ir::UnknownDim{});
        for (const Schedule::Life &life : m_schedule.lives()) {
            const auto most = m_alive[life.storage.first].peak.step();
            const bool isListed = !life.isInside || life.storage.first != life.storage.last
                || (most && life.first <= *most && *most <= life.last);
            if (isListed)
                memory.storages.push_back(life.storage);
        }
        if (!m_isKnown)
            return memory;
        const ir::Dim bytes = m_peak.bytes(m_products);
        memory.peakAtLeast = ops::isKnown(bytes) ? bytes : ir::Dim(std::int64_t{0});
        if (std::ranges::none_of(m_terms, [](const Terms *known) { return !known; })) {
            memory.peak = bytes;
            if (const auto moment = m_peak.step())
                memory.peakStep = m_schedule.steps()[*moment];
        }
        return memory;
    }

private:
    void note(std::uint32_t moment)
    {
        Step &step = m_alive[m_schedule.steps()[moment]];
        step.isKnown = step.isKnown && m_unknown == 0 && m_isKnown;
        step.peak.offer(moment, m_now);
        m_peak.offer(moment, m_now);
    }

    struct Step {
        Peak peak; ///< of its moments
        bool isKnown = true;
    };
    Schedule &m_schedule;
    Products m_products;
    std::vector<const Terms *> m_terms; ///< by life
    std::vector<Step> m_alive;
    Peak m_peak; ///< of all moments
    Terms m_now;
    std::size_t m_unknown = 0; ///< storages that are alive now
    bool m_isKnown = true;     ///< nothing has overflown
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
    Schedule schedule(model.at(id), shapes, shapes.storages);
    return Timeline(schedule).memory();
}

ir::Dim peakInside(const ir::Function &function, const Shapes &shapes, std::span<const ir::Dim> bytes,
                   std::uint32_t first)
{
    Schedule schedule(function, shapes, bytes, first);
    std::vector<Schedule::Life> &lives = schedule.lives();
    const auto end = static_cast<std::uint32_t>(schedule.steps().size() - 1);
    std::erase_if(lives, [&](const Schedule::Life &life) { return life.last == end; });
    return lives.empty() ? ir::Dim(std::int64_t{0}) : Timeline(schedule).memory().peak;
}

} // namespace cutaway::analysis
