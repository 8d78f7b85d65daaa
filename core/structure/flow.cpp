// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// The order is that in which a walk from the results up to their makers leaves the steps: what is made first is walked
// to first, so the steps stay in the order of the file as far as branches are not torn apart by that.
//
// A border is good where few values pass. Three sorts of readers would blur that, and do not count:
//  - what joins values by concatenation, of a value that goes on otherwise: skips of a U shape, features of a dense
//  block;
//  - those of a value that many read, far from each other: a mask, an encoder's result, a time step;
//  - the results of the function, of a value that others read, too.

#include "core/structure/flow.h"

#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/ops/category.h"
#include "core/ops/network/activation.h"
#include "core/ops/network/convolution.h"
#include "core/ops/network/pooling.h"
#include "core/ops/operator.h"
#include "core/ops/tensor/arithmetic.h"
#include "core/ops/tensor/indexing.h"
#include "core/ops/tensor/joining.h"

#include <algorithm>
#include <boost/algorithm/string/predicate.hpp>
#include <boost/container/static_vector.hpp>
#include <boost/container_hash/hash.hpp>
#include <functional>
#include <optional>
#include <span>
#include <tuple>

namespace cutaway::structure {

namespace {

constexpr std::uint32_t none = ~std::uint32_t{0};
constexpr std::size_t manyReaders = 4;   ///< a value that so many read, …
constexpr std::uint32_t farReaders = 48; ///< … this far from each other, is given to all and belongs to none
constexpr std::size_t manyPicks = 3;     ///< the same of one that is only taken apart
constexpr std::uint32_t farPicks = 24;
constexpr std::uint32_t trunkReaders = 6; ///< what so many read is made before all of them
constexpr std::size_t fewInputs = 4;      ///< more are states, each of which one block reads
constexpr int mostCopies = 4;             ///< that stand between a weight and what computes with it

bool isOneOf(ops::OperatorKind kind, std::initializer_list<std::string_view> names)
{
    return std::ranges::any_of(names, [&](std::string_view name) { return kind == ops::OperatorKind(name); });
}

/// Whether an operator is of a family that has no trait: its name says it, "MaxPool" or "max_pool2d".
bool isNamedAfter(ops::OperatorKind kind, std::string_view word)
{
    return boost::algorithm::icontains(kind.name(), word);
}

std::size_t hashOf(const ir::Operand &operand)
{
    std::size_t seed = operand.v.index();
    if (const auto *whole = operand.as<std::int64_t>())
        boost::hash_combine(seed, *whole);
    else if (const auto *real = operand.as<double>())
        boost::hash_combine(seed, *real);
    else if (const auto *flag = operand.as<bool>())
        boost::hash_combine(seed, *flag);
    else if (const auto *text = operand.as<ir::String>())
        boost::hash_combine(seed, text->text.index);
    else if (const auto *list = operand.as<ir::List>())
        for (const ir::Operand &item : list->items)
            boost::hash_combine(seed, hashOf(item));
    return seed;
}

/// The largest number of an argument of numbers; 1 where there is none.
std::int64_t largestOf(const ir::Operand *operand)
{
    std::int64_t largest = 1;
    if (!operand)
        return largest;
    if (const auto *whole = operand->as<std::int64_t>())
        largest = std::max(largest, *whole);
    if (const auto *list = operand->as<ir::List>())
        for (const ir::Operand &item : list->items)
            if (const auto *whole = item.as<std::int64_t>())
                largest = std::max(largest, *whole);
    return largest;
}

const ir::Operand *firstOf(const ir::NodeRef &node, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names)
        if (const ir::Operand *operand = node.argument(name))
            return operand;
    return nullptr;
}

template <class Visit>
void forEachRead(const ir::Node &node, const Visit &visit)
{
    for (const ir::Argument &argument : node.arguments)
        forEachValue(argument.value, visit);
}

/// Says what a node is to those who compare steps.
class RoleFinder {
public:
    /// `prepares`: whether a value is made of weights alone, or by plumbing.
    RoleFinder(const ir::Graph &graph, std::function<bool(ir::ValueId)> prepares)
        : m_graph(graph),
          m_prepares(std::move(prepares))
    {
    }

    void describe(const ir::NodeRef &node, Place &place) const
    {
        const ops::OperatorKind kind = ops::kindOf(node);
        const ir::Shape *weight = weightOf(node);
        place.role = roleOf(node, kind, weight);
        place.scale = scaleOf(node, kind, place.role);
        if (weight && isWeighted(place.role))
            place.width = widthOf(*weight, place.role);
        place.isErf = kind == ops::kind::erf;
        place.isRoot = kind == ops::kind::sqrt || isOneOf(kind, {"rsqrt"});
        place.token = static_cast<std::size_t>(place.role);
        const bool isPlainRole = place.role == Role::Arithmetic || place.role == Role::Other || place.role == Role::View
            || place.role == Role::Mean;
        place.op = node->op;
        if (isPlainRole)
            boost::hash_combine(place.token, node->op.index);
        place.print = node->op.index;
        for (const ir::Argument &argument : node->arguments)
            boost::hash_combine(place.print, hashOf(argument.value));
        forEachRead(*node, [&](ir::ValueId id) {
            const ir::ValueRef value(m_graph, id);
            if (const ir::TensorType *type = value.weight() ? value.tensorType() : nullptr; type && type->shape)
                for (const ir::Dim &dim : *type->shape)
                    boost::hash_combine(place.print, numberOf(dim));
        });
    }

private:
    static std::int64_t numberOf(const ir::Dim &dim)
    {
        const auto *size = std::get_if<std::int64_t>(&dim);
        return size ? *size : 0;
    }

    /// The shape of the weight that a value is, or a copy, a cast or a dequantized form of.
    const ir::Shape *shapeBehind(ir::ValueId id) const
    {
        for (int i = 0; i < mostCopies; ++i) {
            const ir::ValueRef value(m_graph, id);
            if (value.weight()) {
                const ir::TensorType *type = value.tensorType();
                return type && type->shape ? &*type->shape : nullptr;
            }
            const auto maker = value.producer();
            std::optional<ir::ValueId> first;
            if (maker && m_prepares(id))
                forEachRead(**maker, [&](ir::ValueId read) { first = first ? first : std::optional(read); });
            if (!first)
                return nullptr;
            id = *first;
        }
        return nullptr;
    }

    /// The shape of the first weight of two or more dimensions that the node reads, if its category has such weights.
    const ir::Shape *weightOf(const ir::NodeRef &node) const
    {
        const ops::Category category = ops::categoryOf(node);
        const bool may = category == ops::Category::Convolution || category == ops::Category::MatrixProduct
            || category == ops::Category::Indexing || category == ops::Category::Recurrent;
        const ir::Shape *found = nullptr;
        if (may)
            forEachRead(*node, [&](ir::ValueId read) {
                const ir::Shape *shape = found ? nullptr : shapeBehind(read);
                if (shape && shape->size() >= 2)
                    found = shape;
            });
        return found;
    }

    static std::int64_t widthOf(const ir::Shape &weight, Role role)
    {
        const bool isLast = role == Role::Linear || role == Role::UpConvolution;
        return numberOf(isLast ? weight[weight.size() > 2 && role == Role::UpConvolution ? 1 : weight.size() - 1]
                               : weight[0]);
    }

    static Role convolutionRole(const ir::NodeRef &node, ops::OperatorKind kind, const ir::Shape *weight)
    {
        if (kind == ops::kind::convTranspose)
            return Role::UpConvolution;
        const bool isGrouped = largestOf(firstOf(node, {"group", "groups"})) > 1;
        if (isGrouped && weight && numberOf((*weight)[1]) == 1)
            return Role::Depthwise;
        const bool isPointwise = weight && weight->size() > 2
            && std::all_of(weight->begin() + 2, weight->end(), [](const ir::Dim &dim) { return numberOf(dim) == 1; });
        return isPointwise ? Role::Pointwise : Role::Convolution;
    }

    static Role activationRole(ops::OperatorKind kind)
    {
        if (kind == ops::kind::sigmoid || kind == ops::kind::hardSigmoid)
            return Role::Sigmoid;
        if (kind == ops::kind::tanh)
            return Role::Tanh;
        if (kind == ops::kind::softmax || kind == ops::kind::logSoftmax)
            return Role::Softmax;
        return Role::Activation;
    }

    static Role arithmeticRole(ops::OperatorKind kind)
    {
        if (kind == ops::kind::clamp)
            return Role::Activation;
        if (kind == ops::kind::add || isOneOf(kind, {"sum"}))
            return Role::Add;
        return kind == ops::kind::mul ? Role::Mul : Role::Arithmetic;
    }

    static Role reductionRole(ops::OperatorKind kind)
    {
        if (isOneOf(kind, {"globalaveragepool", "globalmaxpool"}) || kind == ops::kind::adaptiveAvgPool
            || kind == ops::kind::adaptiveMaxPool)
            return Role::GlobalPool;
        return isNamedAfter(kind, "pool") ? Role::Pool : Role::Mean;
    }

    static Role viewRole(ops::OperatorKind kind)
    {
        if (kind == ops::kind::cat || isOneOf(kind, {"stack"}))
            return Role::Concat;
        if (isOneOf(kind, {"split", "chunk", "splitwithsizes", "unbind", "tensorsplit"}))
            return Role::Split;
        if (isOneOf(kind, {"resize", "depthtospace", "pixelshuffle", "interpolate"}) || isNamedAfter(kind, "upsample"))
            return Role::Resize;
        return Role::View;
    }

    static Role roleOf(const ir::NodeRef &node, ops::OperatorKind kind, const ir::Shape *weight)
    {
        if (isNamedAfter(kind, "suppression") || isOneOf(kind, {"nms"}))
            return Role::Suppression;
        switch (ops::categoryOf(node)) {
        case ops::Category::Convolution:
            return convolutionRole(node, kind, weight);
        case ops::Category::MatrixProduct:
            return weight ? Role::Linear : Role::Product;
        case ops::Category::Attention:
            return Role::Attention;
        case ops::Category::Recurrent:
            return Role::Recurrent;
        case ops::Category::Normalization:
            return Role::Norm;
        case ops::Category::Activation:
            return activationRole(kind);
        case ops::Category::Elementwise:
            return arithmeticRole(kind);
        case ops::Category::Reduction:
            return reductionRole(kind);
        case ops::Category::ShapeView:
            return viewRole(kind);
        case ops::Category::Indexing:
            return weight ? Role::Embedding : viewRole(kind);
        default:
            return viewRole(kind) == Role::Resize ? Role::Resize : Role::Other;
        }
    }

    static int scaleOf(const ir::NodeRef &node, ops::OperatorKind kind, Role role)
    {
        const ir::Operand *stride = firstOf(node, {"strides", "stride"});
        switch (role) {
        case Role::Convolution:
        case Role::Pointwise:
        case Role::Depthwise:
            return largestOf(stride) > 1 ? 1 : 0;
        case Role::Pool: {
            const auto *list = stride ? stride->as<ir::List>() : nullptr;
            const bool isLeftOut = node.isOnnx() ? false : !list || list->items.empty();
            return largestOf(isLeftOut ? firstOf(node, {"kernel_size"}) : stride) > 1 ? 1 : 0;
        }
        case Role::UpConvolution:
            return largestOf(stride) > 1 ? -1 : 0;
        case Role::Resize:
            return -1;
        default:
            return isOneOf(kind, {"spacetodepth", "pixelunshuffle"}) ? 1 : 0;
        }
    }

    const ir::Graph &m_graph;
    const std::function<bool(ir::ValueId)> m_prepares;
};

class FlowMaker {
public:
    FlowMaker(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing)
        : m_graph(graph),
          m_region(region),
          m_steps(steps),
          m_plumbing(plumbing),
          m_stepOfNode(graph.nodeCount(), none),
          m_isAside(steps.size())
    {
    }

    Flow make()
    {
        for (std::uint32_t i = 0; i < m_steps.size(); ++i)
            for (const ir::NodeId node : m_steps[i])
                claim(node, i);
        findReturned();
        findAside();
        findSources();
        walk();
        findPlaces();
        findReads();
        countCrossings();
        m_flow.prepares = std::move(m_isAside);
        return std::move(m_flow);
    }

private:
    /// A value of the main flow, and who reads it.
    struct Passing {
        std::uint32_t maker = none; ///< place; none: the function is given it
        std::vector<std::uint32_t> readers{};
        bool isReturned = false;
    };

    void claim(ir::NodeId node, std::uint32_t step)
    {
        m_stepOfNode[node.index] = step;
        for (const ir::RegionId inner : m_graph.at(node).regions)
            for (const ir::NodeId below : m_graph.at(inner).nodes)
                claim(below, step);
    }

    template <class Visit>
    void forEachReadOfNode(ir::NodeId id, const Visit &visit) const
    {
        const ir::Node &node = m_graph.at(id);
        forEachRead(node, visit);
        for (const ir::RegionId inner : node.regions) {
            for (const ir::NodeId below : m_graph.at(inner).nodes)
                forEachReadOfNode(below, visit);
            for (const ir::Operand &output : m_graph.at(inner).outputs)
                forEachValue(output, visit);
        }
    }

    template <class Visit>
    void forEachReadOfStep(std::uint32_t step, const Visit &visit) const
    {
        for (const ir::NodeId node : m_steps[step])
            forEachReadOfNode(node, visit);
    }

    std::uint32_t makerOf(ir::ValueId value) const
    {
        const auto *made = std::get_if<ir::NodeResult>(&m_graph.at(value).definition);
        return made ? m_stepOfNode[made->node.index] : none;
    }

    /// Collects the values that the steps make for others: first results of the region, then values that nodes outside
    /// of the steps read.
    void findReturned()
    {
        for (const ir::Operand &output : m_graph.at(m_region).outputs)
            forEachValue(output, [&](ir::ValueId id) {
                if (makerOf(id) != none)
                    m_returned.push_back(id);
            });
        for (const std::vector<ir::NodeId> &step : m_steps)
            for (const ir::NodeId node : step)
                for (const ir::ValueId id : m_graph.at(node).outputs)
                    if (std::ranges::any_of(m_graph.at(id).uses, [&](const ir::Use &use) {
                            const auto *reader = std::get_if<ir::NodeId>(&use);
                            return reader && m_stepOfNode[reader->index] == none;
                        }))
                        m_returned.push_back(id);
    }

    /// Finds the steps that only prepare: plumbing, and those whose operands are made of weights alone.
    void findAside()
    {
        std::vector<bool> isConstant(m_steps.size());
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            const bool isPlumbing =
                std::ranges::all_of(m_steps[i], [&](ir::NodeId node) { return m_plumbing[node.index]; });
            bool any = false, all = true;
            forEachReadOfStep(i, [&](ir::ValueId id) {
                const std::uint32_t maker = makerOf(id);
                any = true;
                all = all && (ir::ValueRef(m_graph, id).weight() || (maker != none && maker < i && isConstant[maker]));
            });
            isConstant[i] = all && (any || isPlumbing);
            m_isAside[i] = isPlumbing || isConstant[i];
        }
    }

    /// By step: the steps whose values it reads.
    void findSources()
    {
        m_sources.resize(m_steps.size());
        std::vector<std::uint32_t> readers(m_steps.size(), 0); // of the main flow
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            std::vector<std::uint32_t> &sources = m_sources[i];
            forEachReadOfStep(i, [&](ir::ValueId id) {
                if (const std::uint32_t maker = makerOf(id); maker != none && maker != i)
                    sources.push_back(maker);
            });
            std::ranges::sort(sources);
            const auto [first, last] = std::ranges::unique(sources);
            sources.erase(first, last);
            for (const std::uint32_t source : sources)
                readers[source] += m_isAside[i] ? 0 : 1;
        }
        sortSources(readers);
    }

    /// Steps that many read, from which others come, ascending.
    using Trunks = boost::container::static_vector<std::uint32_t, 4>;

    static void addTo(Trunks &trunks, std::uint32_t step)
    {
        const auto place = std::ranges::lower_bound(trunks, step);
        if ((place == trunks.end() || *place != step) && trunks.size() < trunks.capacity())
            trunks.insert(place, step);
    }

    /// In the order in which they are walked to: first what many read, wherever it is needed here; then what the branch
    /// comes from that goes back furthest in the file; then branches as they begin there; what prepares comes last.
    void sortSources(const std::vector<std::uint32_t> &readers)
    {
        std::vector<std::uint32_t> oldest(m_steps.size());      // of what a step is made of
        std::vector<std::uint32_t> beginnings(m_steps.size());  // of the branch that it ends
        std::vector<std::uint32_t> forks(m_steps.size(), none); // from which its oldest branch comes
        std::vector<Trunks> trunks(m_steps.size());
        for (std::uint32_t i = 0; i < m_steps.size(); ++i) {
            oldest[i] = beginnings[i] = i;
            for (const std::uint32_t source : m_sources[i]) {
                if (source > i || m_isAside[source])
                    continue;
                oldest[i] = std::min(oldest[i], oldest[source]);
                if (readers[source] < 2)
                    beginnings[i] = std::min(beginnings[i], beginnings[source]);
                if (readers[source] >= trunkReaders)
                    addTo(trunks[i], source);
                else
                    for (const std::uint32_t trunk : trunks[source])
                        addTo(trunks[i], trunk);
            }
            std::ranges::stable_sort(m_sources[i], {}, [&](std::uint32_t source) {
                return std::tuple(static_cast<bool>(m_isAside[source]), oldest[source], beginnings[source]);
            });
            if (!m_sources[i].empty() && !m_isAside[m_sources[i].front()])
                forks[i] = readers[m_sources[i].front()] < 2 ? forks[m_sources[i].front()] : m_sources[i].front();
            if (m_sources[i].size() < 2)
                continue;
            std::ranges::stable_sort(m_sources[i], {}, [&](std::uint32_t source) {
                return std::pair(static_cast<bool>(m_isAside[source]), beginnings[source]);
            });
            if (forks[i] != none)
                m_sources[i].insert(m_sources[i].begin(), forks[i]);
            m_sources[i].insert(m_sources[i].begin(), trunks[i].begin(), trunks[i].end());
        }
    }

    void walk()
    {
        enum class State : std::uint8_t { New, Open, Done };
        struct Visit {
            std::uint32_t step;
            std::size_t next = 0;
        };
        std::vector<State> states(m_steps.size(), State::New);
        std::vector<Visit> path;
        const auto from = [&](std::uint32_t root) {
            if (states[root] != State::New)
                return;
            states[root] = State::Open;
            path.push_back({root});
            while (!path.empty()) {
                Visit &visit = path.back();
                if (visit.next == m_sources[visit.step].size()) {
                    states[visit.step] = State::Done;
                    m_flow.order.push_back(visit.step);
                    path.pop_back();
                    continue;
                }
                const std::uint32_t source = m_sources[visit.step][visit.next++];
                m_flow.isTopological = m_flow.isTopological && states[source] != State::Open;
                if (states[source] == State::New) {
                    states[source] = State::Open;
                    path.push_back({source});
                }
            }
        };
        for (const ir::ValueId id : m_returned)
            from(makerOf(id));
        for (std::uint32_t i = 0; i < m_steps.size(); ++i)
            from(i);
    }

    void findPlaces()
    {
        const RoleFinder roles(m_graph, [&](ir::ValueId value) {
            const std::uint32_t maker = makerOf(value);
            return maker != none && m_isAside[maker];
        });
        m_placeOfStep.assign(m_steps.size(), none);
        std::uint32_t begin = 0;
        for (std::uint32_t i = 0; i < m_flow.order.size(); ++i) {
            const std::uint32_t step = m_flow.order[i];
            if (m_isAside[step])
                continue;
            m_placeOfStep[step] = static_cast<std::uint32_t>(m_flow.places.size());
            Place place{.step = step, .sources = {}, .readers = {}};
            if (m_steps[step].size() == 1) {
                roles.describe({m_graph, m_steps[step].front()}, place);
            } else {
                place.role = Role::Module;
                for (const ir::NodeId node : m_steps[step])
                    boost::hash_combine(place.token, m_graph.at(node).op.index);
                place.print = place.token;
            }
            m_flow.places.push_back(std::move(place));
            m_flow.begins.push_back(begin);
            begin = i + 1;
        }
    }

    void findReads()
    {
        m_passing.resize(m_graph.valueCount());
        for (std::uint32_t i = 0; i < m_flow.places.size(); ++i) {
            const std::uint32_t step = m_flow.places[i].step;
            forEachReadOfStep(step, [&](ir::ValueId id) {
                const ir::ValueRef value(m_graph, id);
                const std::uint32_t maker = makerOf(id);
                if (value.weight() || maker == step || (maker != none && m_isAside[maker]))
                    return;
                if (maker == none && !isInput(id))
                    return;
                Passing &passing = m_passing[id.index];
                if (maker == none)
                    m_flow.places[i].readsOutside = true;
                else
                    passing.maker = m_placeOfStep[maker];
                if (passing.readers.empty() || passing.readers.back() != i)
                    passing.readers.push_back(i);
            });
        }
        for (const ir::ValueId id : m_returned) {
            if (m_isAside[makerOf(id)])
                continue;
            m_passing[id.index].maker = m_placeOfStep[makerOf(id)];
            m_passing[id.index].isReturned = true;
        }
        for (const Passing &passing : m_passing)
            for (const std::uint32_t reader : passing.readers)
                if (passing.maker != none && passing.maker < reader) {
                    m_flow.places[reader].sources.push_back(passing.maker);
                    m_flow.places[passing.maker].readers.push_back(reader);
                }
        for (Place &place : m_flow.places)
            for (std::vector<std::uint32_t> *list : {&place.sources, &place.readers}) {
                std::ranges::sort(*list);
                const auto [first, last] = std::ranges::unique(*list);
                list->erase(first, last);
            }
    }

    /// Whether the steps are given a value: an input of the region, or made by a node that is no step.
    bool isInput(ir::ValueId id) const
    {
        const ir::Definition &definition = m_graph.at(id).definition;
        if (const auto *made = std::get_if<ir::NodeResult>(&definition))
            return !m_plumbing[made->node.index];
        const auto *input = std::get_if<ir::RegionInput>(&definition);
        return input && input->region == m_region;
    }

    /// The last place whose reading of a value counts, see the top.
    std::uint32_t lastOf(const Passing &passing) const
    {
        const std::vector<std::uint32_t> &readers = passing.readers;
        if (readers.empty())
            return static_cast<std::uint32_t>(m_flow.places.size());
        const std::uint32_t span = readers.back() - readers.front();
        const bool isTakenApart = readers.size() >= manyPicks && span >= farPicks
            && std::ranges::all_of(readers, [&](std::uint32_t r) { return m_flow.places[r].role == Role::View; });
        if (isTakenApart)
            return readers.front();
        std::uint32_t last = readers.front();
        for (const std::uint32_t reader : readers)
            if (!isCollector(reader))
                last = std::max(last, reader);
        return last;
    }

    static bool isGivenToAll(const std::vector<std::uint32_t> &readers)
    {
        return readers.size() >= manyReaders && readers.back() - readers.front() >= farReaders;
    }

    /// It concatenates, or makes another view of a value for what does.
    bool isCollector(std::uint32_t place) const
    {
        const Place &p = m_flow.places[place];
        if (p.role == Role::View && p.readers.size() == 1)
            return m_flow.places[p.readers.front()].role == Role::Concat
                && m_flow.places[p.readers.front()].sources.size() > 2;
        return p.role == Role::Concat;
    }

    void countCrossings()
    {
        const auto count = static_cast<std::uint32_t>(m_flow.places.size());
        std::vector<std::int64_t> change(count + 2, 0); // of the number of values, at the border before a place
        std::size_t inputs = 0;
        bool givesToAll = false; // then what is computed of one input is not beside what is computed of another
        for (const Passing &passing : m_passing) {
            inputs += passing.maker == none && !passing.readers.empty() ? 1 : 0;
            givesToAll = givesToAll || (passing.maker != none && isGivenToAll(passing.readers));
        }
        for (const Passing &passing : m_passing) {
            if (passing.readers.empty() && !passing.isReturned)
                continue;
            if (isGivenToAll(passing.readers))
                continue;
            const std::uint32_t last = lastOf(passing);
            std::uint32_t first = passing.maker + 1;
            if (passing.maker == none)
                first = inputs <= fewInputs && !givesToAll ? 0 : passing.readers.front() + 1;
            if (isViewForCollector(passing) || first > last)
                continue;
            ++change[first];
            --change[last + 1];
        }
        m_flow.crossings.resize(count + 1);
        std::int64_t now = 0;
        for (std::uint32_t i = 0; i <= count; ++i)
            m_flow.crossings[i] = static_cast<std::uint32_t>(now += change[i]);
    }

    /// A view of a value that goes on otherwise: it waits for the concatenation as that value would.
    bool isViewForCollector(const Passing &passing) const
    {
        if (passing.maker == none || passing.readers.size() != 1)
            return false;
        const Place &view = m_flow.places[passing.maker];
        if (!isCollector(passing.maker) || view.role != Role::View || view.sources.size() != 1)
            return false;
        return std::ranges::any_of(m_flow.places[view.sources.front()].readers, [&](std::uint32_t reader) {
            return !isCollector(reader) && m_flow.places[reader].role != Role::View;
        });
    }

    const ir::Graph &m_graph;
    const ir::RegionId m_region;
    const Steps &m_steps;
    const std::vector<bool> &m_plumbing;
    std::vector<std::uint32_t> m_stepOfNode;
    std::vector<bool> m_isAside; ///< by step
    std::vector<std::vector<std::uint32_t>> m_sources;
    std::vector<ir::ValueId> m_returned;
    std::vector<std::uint32_t> m_placeOfStep;
    std::vector<Passing> m_passing; ///< by value
    Flow m_flow;
};

} // namespace

bool isWeighted(Role role)
{
    switch (role) {
    case Role::Convolution:
    case Role::Pointwise:
    case Role::Depthwise:
    case Role::UpConvolution:
    case Role::Linear:
    case Role::Product:
    case Role::Attention:
    case Role::Recurrent:
        return true;
    default:
        return false;
    }
}

Flow flowOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps, const std::vector<bool> &plumbing)
{
    return FlowMaker(graph, region, steps, plumbing).make();
}

} // namespace cutaway::structure
