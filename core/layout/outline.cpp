// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/layout/outline.h"

#include "core/ir/homes.h"
#include "core/ir/node_ref.h"
#include "core/layout/found/found_names.h"
#include "core/structure/plumbing.h"
#include "core/structure/structure.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>
#include <iterator>
#include <numeric>
#include <optional>
#include <ranges>
#include <span>
#include <utility>
#include <variant>

namespace cutaway::layout {

namespace {

constexpr std::uint32_t maxSiblings = 200;
/// Limit of siblings; if there are more, they are grouped by the parts found among them.
constexpr std::uint32_t manySiblings = 60;
/// Like manySiblings, for withNamedParts().
constexpr std::uint32_t fewSiblings = 15;
constexpr std::uint32_t groupSize = 100; ///< a slice has this number of siblings, or a power of it
constexpr std::uint32_t minRepeats = 3;
constexpr std::uint32_t minRepeatsAlone = 6;
constexpr std::uint32_t minPlumbing = 2;
constexpr std::size_t noPlace = ~std::size_t{0};
constexpr std::uint32_t maxDepth = 64; ///< limit of nested modules; deeper ones belong to their ancestor at this depth

struct Draft {
    Subject subject;
    std::uint32_t parent = 0;
    std::uint32_t depth = 0;
    std::uint32_t nodes = 0;
    std::uint32_t ownNodes = 0; ///< number of nodes, those in regions excluded
    std::size_t shape = 0;      ///< a hash that is equal for equal structure
};

/// Consecutive children of a draft, from the index `first` to the index `last`: one, or several in a group.
struct Run {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
    bool grouped = false;
    bool repeats = false;
};

/// The regions that were found among the children of a draft.
struct Found {
    structure::Structure structure;
    std::vector<std::uint32_t> after;  ///< by region: the index of the first region after those inside it
    std::vector<std::uint32_t> levels; ///< by region: the number of regions around it with the same begin and end
};

Found foundIn(structure::Structure structure)
{
    Found found{std::move(structure), {}, {}};
    const std::vector<structure::Region> &regions = found.structure.regions;
    found.after.resize(regions.size());
    found.levels.resize(regions.size());
    for (std::size_t i = regions.size(); i-- > 0;) {
        found.after[i] = std::max(found.after[i], static_cast<std::uint32_t>(i) + 1);
        std::uint32_t &around = found.after[regions[i].parent];
        around = std::max(around, found.after[i]);
    }
    for (std::size_t i = 1; i < regions.size(); ++i) {
        const structure::Region &around = regions[regions[i].parent];
        const bool isSame = regions[i].begin == around.begin && regions[i].end == around.end;
        found.levels[i] = isSame ? found.levels[regions[i].parent] + 1 : 0;
    }
    return found;
}

/// Returns a hash of a value's dtype, rank and the sizes that are numbers.
std::size_t hashOfSizes(const ir::ValueRef &value)
{
    const ir::TensorType *tensor = value.tensorType();
    if (!tensor)
        return value->type.index;
    std::size_t seed = 0;
    boost::hash_combine(seed, tensor->dtype ? static_cast<int>(*tensor->dtype) : -1);
    if (tensor->shape)
        for (const ir::Dim &dim : *tensor->shape) {
            const auto *size = std::get_if<std::int64_t>(&dim);
            boost::hash_combine(seed, size ? *size : std::int64_t{-1});
        }
    return seed;
}

class Builder {
public:
    /// `most` is the number of siblings above which they are grouped by found parts.
    Builder(const ir::Function &function, bool flat, std::uint32_t most)
        : m_graph(function.graph),
          m_targets(targetsOf(function)),
          m_flat(flat),
          m_most(most),
          m_isPlumbing(flat ? std::vector<bool>() : structure::plumbingOf(m_graph)),
          m_draftOfNode(m_graph.nodeCount(), 0),
          m_places(m_graph.nodeCount(), noPlace)
    {
    }

    Outline build()
    {
        add(ir::Graph::body, 0);
        // NOLINTNEXTLINE(modernize-loop-convert): filling a region finds more
        for (std::size_t i = 0; i < m_regions.size(); ++i)
            fill(m_regions[i]);
        findChildren();
        summarize();
        findParts();
        return flattened();
    }

private:
    using Holders = boost::unordered_flat_map<std::uint32_t, std::uint32_t>; ///< by module: its draft

    std::uint32_t add(Subject subject, std::uint32_t parent);
    void fill(std::uint32_t region);
    std::vector<std::size_t> orderOf(const std::vector<ir::NodeId> &nodes);
    bool readsWeightsAlone(ir::NodeId node) const;
    boost::unordered_flat_set<std::uint32_t> longModules(const std::vector<ir::NodeId> &nodes,
                                                         const std::vector<ir::ScopeId> &homes) const;
    std::vector<bool> plumbedOf(const std::vector<ir::NodeId> &nodes, const std::vector<ir::ScopeId> &homes) const;
    std::uint32_t holder(ir::ScopeId scope, Holders &known);
    void findChildren();
    std::span<const std::uint32_t> childrenOf(std::uint32_t draft) const
    {
        return std::span(m_children)
            .subspan(m_childrenBegin[draft], m_childrenBegin[draft + 1] - m_childrenBegin[draft]);
    }
    void summarize();
    void findParts();
    void collectNodes(std::uint32_t draft, std::vector<ir::NodeId> &out) const;
    bool onlyPrepares(std::uint32_t draft) const;
    std::size_t resultType(std::uint32_t draft) const;
    bool feeds(std::uint32_t source, std::uint32_t target, std::uint32_t parent) const;
    std::optional<std::uint32_t> childAbove(std::uint32_t draft, std::uint32_t parent) const;
    std::vector<Run> runsOf(std::uint32_t draft) const;
    std::vector<Run> repeatsIn(std::uint32_t draft) const;

    // The content of a part: a draft, or some children of a draft.
    struct Whole {
        std::uint32_t draft = 0;
    };
    struct Grouped {
        std::uint32_t draft = 0;
        Run run;
    };
    struct InFound { ///< a region that was found
        std::uint32_t draft = 0, region = 0;
    };
    struct PlumbingInFound {
        std::uint32_t draft = 0;
        std::vector<std::uint32_t> drafts; ///< indices of drafts, at least one
    };
    using Content = std::variant<Whole, Grouped, InFound, PlumbingInFound>;
    using Contents = std::vector<Content>;

    Outline flattened() const;
    Part partOf(const Whole &whole, Outline &outline) const;
    Part partOf(const Grouped &group, Outline &outline) const;
    Part partOf(const InFound &found, Outline &outline) const;
    Part partOf(const PlumbingInFound &plumbing, Outline &outline) const;
    Contents inside(const Whole &whole) const;
    Contents inside(const Grouped &group) const;
    Contents inside(const InFound &found) const;
    Contents inside(const PlumbingInFound &plumbing) const;
    Contents contentsOf(std::uint32_t draft, const std::vector<Run> &runs) const;
    bool isLonely(std::uint32_t draft) const
    {
        return std::holds_alternative<ScopeSubject>(m_drafts[draft].subject) && m_drafts[draft].ownNodes == 1;
    }
    ir::ScopeId scopeOf(std::uint32_t draft) const;
    ir::RegionId regionOf(std::uint32_t draft) const;
    std::uint32_t lonelyNode(std::uint32_t draft) const;

    const ir::Graph &m_graph;
    const Targets m_targets;
    const bool m_flat;
    const std::uint32_t m_most;
    const std::vector<bool> m_isPlumbing;                   ///< by NodeId
    std::vector<Draft> m_drafts;                            ///< each comes after its parent
    std::vector<std::uint32_t> m_children, m_childrenBegin; ///< children of all drafts; where those of each begin
    std::vector<std::uint32_t> m_regions;
    std::vector<std::uint32_t> m_draftOfNode;
    boost::unordered_flat_map<std::uint32_t, Found> m_found; ///< by draft
    /// By NodeId: the node's index in its region; for plumbing that reads only weights, the index of its first reader.
    std::vector<std::size_t> m_places;
};

std::uint32_t Builder::add(Subject subject, std::uint32_t parent)
{
    const auto index = static_cast<std::uint32_t>(m_drafts.size());
    m_drafts.push_back({.subject = subject, .parent = parent, .depth = index > 0 ? m_drafts[parent].depth + 1 : 0});
    if (std::holds_alternative<ir::RegionId>(subject))
        m_regions.push_back(index);
    return index;
}

void Builder::fill(std::uint32_t regionDraft)
{
    const ir::RegionId id = std::get<ir::RegionId>(m_drafts[regionDraft].subject);
    const ir::Region &region = m_graph.at(id);
    const ir::Context &context = m_graph.context();
    Holders known{{0, regionDraft}};
    // Modules that contain the owner are drawn around it already.
    if (region.owner)
        for (ir::ScopeId s = m_graph.at(*region.owner).scope; s.index != 0; s = context.at(s).parent)
            known.emplace(s.index, regionDraft);

    const std::vector<ir::ScopeId> homes = m_flat ? std::vector<ir::ScopeId>() : ir::homesOf(m_graph, id);
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> plumbing; // by draft of a module: the draft of its plumbing
    const std::vector<bool> isPlumbed =
        m_flat ? std::vector<bool>(region.nodes.size()) : plumbedOf(region.nodes, homes);
    ir::ScopeId home; // the module of the previous node, which most nodes share
    std::uint32_t around = regionDraft;
    for (const std::size_t i : orderOf(region.nodes)) {
        const ir::NodeId node = region.nodes[i];
        if (!m_flat && homes[i] != home) {
            home = homes[i];
            around = holder(home, known);
        }
        std::uint32_t parent = around;
        if (isPlumbed[i]) {
            const auto [entry, isNew] = plumbing.try_emplace(parent);
            if (isNew)
                entry->second = add(PlumbingSubject{scopeOf(parent), id}, parent);
            parent = entry->second;
        }
        const std::uint32_t draft = add(node, parent);
        m_draftOfNode[node.index] = draft;
        for (const ir::RegionId inner : m_graph.at(node).regions)
            add(inner, draft);
    }
}

/// Returns a position for each node of a region: that in execution order, but plumbing that reads only weights stands
/// right before its reader. Exporters write the copies of weights at the beginning, those of the last block first, and
/// the first node of a module decides where the module stands.
std::vector<std::size_t> Builder::orderOf(const std::vector<ir::NodeId> &nodes)
{
    std::vector<std::size_t> order(nodes.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    if (m_flat)
        return order;
    bool isMoved = false;
    for (std::size_t i = nodes.size(); i-- > 0;) {
        std::size_t first = noPlace;
        if (m_isPlumbing[nodes[i].index] && readsWeightsAlone(nodes[i]))
            for (const ir::ValueId output : m_graph.at(nodes[i]).outputs)
                for (const ir::Use &use : m_graph.at(output).uses) {
                    const auto *reader = std::get_if<ir::NodeId>(&use);
                    const std::size_t place = reader ? m_places[reader->index] : noPlace;
                    // A node that is read in a region keeps its position.
                    first = std::min(first, place == noPlace ? i : place);
                }
        m_places[nodes[i].index] = first == noPlace ? i : first;
        isMoved = isMoved || m_places[nodes[i].index] != i;
    }
    if (isMoved)
        std::ranges::stable_sort(order, {}, [&](std::size_t i) { return m_places[nodes[i].index]; });
    return order;
}

bool Builder::readsWeightsAlone(ir::NodeId node) const
{
    bool all = true;
    for (const ir::Argument &argument : m_graph.at(node).arguments)
        forEachValue(argument.value, [&](ir::ValueId value) { all = all && ir::ValueRef(m_graph, value).weight(); });
    return all;
}

/// Returns, by node of a region, whether it stands in the box for the plumbing of its module. The box needs enough
/// plumbing, and a module that also contains something else.
std::vector<bool> Builder::plumbedOf(const std::vector<ir::NodeId> &nodes, const std::vector<ir::ScopeId> &homes) const
{
    struct Module {
        std::uint32_t plumbing = 0;
        bool hasOthers = false; ///< whether other nodes or modules are in it, and so in all modules around it
    };
    boost::unordered_flat_map<std::uint32_t, Module> modules;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Module &own = modules[homes[i].index];
        if (m_isPlumbing[nodes[i].index])
            ++own.plumbing;
        else
            own.hasOthers = true;
        // A module that contains another one is not made of plumbing alone.
        for (ir::ScopeId scope = homes[i]; scope.index != 0;) {
            scope = m_graph.context().at(scope).parent;
            if (std::exchange(modules[scope.index].hasOthers, true))
                break;
        }
    }
    const boost::unordered_flat_set<std::uint32_t> longOnes = longModules(nodes, homes);
    std::vector<bool> plumbed(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (!m_isPlumbing[nodes[i].index])
            continue;
        const Module &module = modules.at(homes[i].index);
        plumbed[i] = module.plumbing >= minPlumbing && module.hasOthers && !longOnes.contains(homes[i].index);
    }
    return plumbed;
}

/// Returns the modules in which parts will be found, since many nodes stand directly in them. There, plumbing stands in
/// the part that reads it.
boost::unordered_flat_set<std::uint32_t> Builder::longModules(const std::vector<ir::NodeId> &nodes,
                                                              const std::vector<ir::ScopeId> &homes) const
{
    boost::unordered_flat_map<std::uint32_t, std::uint32_t> counts;
    for (std::size_t i = 0; i < nodes.size(); ++i)
        counts[homes[i].index] += m_isPlumbing[nodes[i].index] ? 0 : 1;
    boost::unordered_flat_set<std::uint32_t> found;
    for (const auto &[module, count] : counts)
        if (count > m_most)
            found.insert(module);
    return found;
}

/// Returns the draft of a module within the region of `known`, which is made with its ancestors if it is missing.
std::uint32_t Builder::holder(ir::ScopeId scope, Holders &known)
{
    const ir::Context &context = m_graph.context();
    std::vector<ir::ScopeId> missing;
    while (!known.contains(scope.index)) {
        missing.push_back(scope);
        scope = context.at(scope).parent;
    }
    const std::uint32_t regionDraft = known.at(0);
    std::uint32_t parent = known.at(scope.index);
    for (const ir::ScopeId inner : missing | std::views::reverse) {
        if (m_drafts[parent].depth < m_drafts[regionDraft].depth + maxDepth)
            parent = add(ScopeSubject{inner, regionOf(regionDraft)}, parent);
        known.emplace(inner.index, parent);
    }
    return parent;
}

bool Builder::onlyPrepares(std::uint32_t draft) const
{
    const auto *node = std::get_if<ir::NodeId>(&m_drafts[draft].subject);
    return std::holds_alternative<PlumbingSubject>(m_drafts[draft].subject)
        || (node && !m_flat && m_isPlumbing[node->index]);
}

void Builder::findChildren()
{
    m_childrenBegin.assign(m_drafts.size() + 1, 0);
    for (std::size_t i = 1; i < m_drafts.size(); ++i)
        ++m_childrenBegin[m_drafts[i].parent + 1];
    std::partial_sum(m_childrenBegin.begin(), m_childrenBegin.end(), m_childrenBegin.begin());
    m_children.resize(m_drafts.size() - 1);
    std::vector<std::uint32_t> next = m_childrenBegin;
    for (std::uint32_t i = 1; i < m_drafts.size(); ++i)
        m_children[next[m_drafts[i].parent]++] = i;
}

/// Computes sums and structure from the leaves up; a draft comes after its parent. Plumbing does not count for the
/// structure: exporters write plumbing that blocks share into the first of them, and fold it where sizes are known.
void Builder::summarize()
{
    for (auto i = static_cast<std::uint32_t>(m_drafts.size()); i-- > 0;) {
        Draft &draft = m_drafts[i];
        if (const auto *node = std::get_if<ir::NodeId>(&draft.subject)) {
            draft.ownNodes = 1;
            ++draft.nodes;
            boost::hash_combine(draft.shape, m_graph.at(*node).op.index);
        } else if (const auto *scope = std::get_if<ScopeSubject>(&draft.subject)) {
            boost::hash_combine(draft.shape, m_graph.context().at(scope->scope).className.index);
        }
        for (const std::uint32_t child : childrenOf(i)) {
            if (!onlyPrepares(child))
                boost::hash_combine(draft.shape, m_drafts[child].shape);
            draft.nodes += m_drafts[child].nodes;
            if (!std::holds_alternative<ir::RegionId>(draft.subject)
                && !std::holds_alternative<ir::NodeId>(draft.subject))
                draft.ownNodes += m_drafts[child].ownNodes;
        }
    }
}

void Builder::collectNodes(std::uint32_t draft, std::vector<ir::NodeId> &out) const
{
    std::vector<std::uint32_t> pending{draft};
    while (!pending.empty()) {
        const std::uint32_t next = pending.back();
        pending.pop_back();
        if (const auto *node = std::get_if<ir::NodeId>(&m_drafts[next].subject)) {
            out.push_back(*node); // nodes in the regions of a node belong to it
            continue;
        }
        const std::span<const std::uint32_t> children = childrenOf(next);
        pending.insert(pending.end(), children.rbegin(), children.rend());
    }
}

/// Finds parts in the modules and regions that have too many children.
void Builder::findParts()
{
    for (std::uint32_t i = 0; i < m_drafts.size() && !m_flat; ++i) {
        const bool isNode = std::holds_alternative<ir::NodeId>(m_drafts[i].subject);
        const std::span<const std::uint32_t> children = childrenOf(i);
        if (isNode || children.size() <= m_most || std::holds_alternative<PlumbingSubject>(m_drafts[i].subject))
            continue;
        const auto working = std::ranges::count_if(children, [&](std::uint32_t child) { return !onlyPrepares(child); });
        if (working <= m_most || repeatsIn(i).size() <= m_most)
            continue;
        structure::Steps steps(children.size());
        for (std::size_t k = 0; k < children.size(); ++k)
            collectNodes(children[k], steps[k]);
        structure::Structure structure = structure::structureOf(m_graph, regionOf(i), steps, m_isPlumbing);
        if (structure.regions.size() > 1)
            m_found.emplace(i, foundIn(std::move(structure)));
    }
}

/// Returns a hash of the result types of the last node that a module computes with: modules of equal structure with
/// other sizes are not equal. All symbols hash the same, since exporters make one up for each block.
std::size_t Builder::resultType(std::uint32_t draft) const
{
    while (!childrenOf(draft).empty()) {
        const std::span<const std::uint32_t> children = childrenOf(draft);
        const auto last = std::ranges::find_if(children | std::views::reverse,
                                               [&](std::uint32_t child) { return !onlyPrepares(child); });
        draft = last == children.rend() ? children.back() : *last;
    }
    std::size_t seed = 0;
    if (const auto *node = std::get_if<ir::NodeId>(&m_drafts[draft].subject))
        for (const ir::ValueId output : m_graph.at(*node).outputs)
            boost::hash_combine(seed, hashOfSizes(ir::ValueRef(m_graph, output)));
    return seed;
}

std::optional<std::uint32_t> Builder::childAbove(std::uint32_t draft, std::uint32_t parent) const
{
    while (draft != 0 && m_drafts[draft].parent != parent)
        draft = m_drafts[draft].parent;
    return draft == 0 ? std::nullopt : std::optional(draft);
}

/// Whether a node in `target` reads a value computed in `source`, both children of `parent`.
bool Builder::feeds(std::uint32_t source, std::uint32_t target, std::uint32_t parent) const
{
    std::vector<std::uint32_t> pending{target};
    while (!pending.empty()) {
        const std::uint32_t draft = pending.back();
        pending.pop_back();
        const std::span<const std::uint32_t> children = childrenOf(draft);
        // In reverse, so that the first child is visited first.
        pending.insert(pending.end(), children.rbegin(), children.rend());
        const auto *node = std::get_if<ir::NodeId>(&m_drafts[draft].subject);
        bool found = false;
        if (node)
            for (const ir::Argument &argument : m_graph.at(*node).arguments)
                forEachValue(argument.value, [&](ir::ValueId value) {
                    const auto maker = ir::ValueRef(m_graph, value).producer();
                    found = found || (maker && childAbove(m_draftOfNode[maker->id().index], parent) == source);
                });
        if (found)
            return true;
    }
    return false;
}

/// Returns the children as runs, where a chain of equal neighbouring modules is one run.
std::vector<Run> Builder::repeatsIn(std::uint32_t draft) const
{
    const std::span<const std::uint32_t> children = childrenOf(draft);
    const auto isModule = [&](std::uint32_t i) {
        return std::holds_alternative<ScopeSubject>(m_drafts[children[i]].subject) && m_drafts[children[i]].nodes > 1;
    };
    const auto continues = [&](std::uint32_t i) {
        const std::uint32_t child = children[i];
        const std::uint32_t previous = children[i - 1];
        return isModule(i) && m_drafts[child].shape == m_drafts[previous].shape
            && resultType(child) == resultType(previous);
    };
    std::vector<Run> runs;
    for (std::uint32_t i = 0; i < children.size(); ++i) {
        if (i > 0 && continues(i))
            runs.back().last = i;
        else
            runs.push_back({i, i});
    }
    std::vector<Run> kept;
    for (const Run &run : runs) {
        bool repeats = run.last - run.first + 1 >= minRepeats;
        for (std::uint32_t i = run.first; repeats && i < run.last; ++i)
            repeats = feeds(children[i], children[i + 1], draft);
        if (repeats)
            kept.push_back({run.first, run.last, true, true});
        else
            for (std::uint32_t i = run.first; i <= run.last; ++i)
                kept.push_back({i, i});
    }
    return kept;
}

std::vector<Run> singles(std::uint32_t begin, std::uint32_t end)
{
    std::vector<Run> runs;
    for (std::uint32_t i = begin; i < end; ++i)
        runs.push_back({i, i});
    return runs;
}

/// Returns slices of a power of groupSize runs each if there are too many, else the runs.
std::vector<Run> sliced(const std::vector<Run> &runs)
{
    std::size_t size = 1;
    while ((runs.size() + size - 1) / size > maxSiblings)
        size *= groupSize;
    if (size == 1)
        return runs;
    std::vector<Run> slices;
    for (std::size_t i = 0; i < runs.size(); i += size) {
        const std::size_t end = std::min(i + size, runs.size());
        slices.push_back(end - i == 1 ? runs[i] : Run{runs[i].first, runs[end - 1].last, true});
    }
    return slices;
}

std::vector<Run> Builder::runsOf(std::uint32_t draft) const
{
    std::vector<Run> runs = repeatsIn(draft);
    // A single group of all children only adds a box, so it must contain many.
    if (runs.size() == 1 && childrenOf(draft).size() < minRepeatsAlone)
        runs = singles(0, static_cast<std::uint32_t>(childrenOf(draft).size()));
    return sliced(runs);
}

ir::RegionId Builder::regionOf(std::uint32_t draft) const
{
    while (!std::holds_alternative<ir::RegionId>(m_drafts[draft].subject))
        draft = m_drafts[draft].parent;
    return std::get<ir::RegionId>(m_drafts[draft].subject);
}

ir::ScopeId Builder::scopeOf(std::uint32_t draft) const
{
    const auto *scope = std::get_if<ScopeSubject>(&m_drafts[draft].subject);
    return scope ? scope->scope : ir::ScopeId{};
}

/// Returns the only node of a module, which may stand in a submodule.
std::uint32_t Builder::lonelyNode(std::uint32_t draft) const
{
    while (std::holds_alternative<ScopeSubject>(m_drafts[draft].subject))
        draft = childrenOf(draft).front();
    return draft;
}

/// Returns the part for a draft, or for the only node in it.
Part Builder::partOf(const Whole &whole, Outline & /*outline*/) const
{
    const bool lonely = isLonely(whole.draft);
    const Draft &draft = m_drafts[lonely ? lonelyNode(whole.draft) : whole.draft];
    Part part{.subject = draft.subject, .nodes = draft.nodes};
    if (lonely)
        part.shortcut = scopeOf(draft.parent);
    return part;
}

Part Builder::partOf(const Grouped &group, Outline & /*outline*/) const
{
    const auto &[draft, run] = group;
    Part part{.subject = GroupSubject{scopeOf(draft), regionOf(draft), run.first, run.last}, .repeats = run.repeats};
    for (std::uint32_t i = run.first; i <= run.last; ++i)
        part.nodes += m_drafts[childrenOf(draft)[i]].nodes;
    return part;
}

Part Builder::partOf(const PlumbingInFound &plumbing, Outline & /*outline*/) const
{
    Part part{.subject = PlumbingSubject{scopeOf(plumbing.draft), regionOf(plumbing.draft),
                                         std::get<ir::NodeId>(m_drafts[plumbing.drafts.front()].subject)}};
    for (const std::uint32_t draft : plumbing.drafts)
        part.nodes += m_drafts[draft].nodes;
    return part;
}

Part Builder::partOf(const InFound &in, Outline &outline) const
{
    const Found &found = m_found.at(in.draft);
    const structure::Region &region = found.structure.regions[in.region];
    const std::span<const std::uint32_t> children = childrenOf(in.draft);
    Part part{.subject = {}};
    std::vector<ir::NodeId> nodes;
    for (std::uint32_t i = region.begin; i < region.end; ++i) {
        part.nodes += m_drafts[children[found.structure.order[i]]].nodes;
        collectNodes(children[found.structure.order[i]], nodes);
    }
    const auto *repetition = std::get_if<structure::Repetition>(&region.form);
    part.subject = FoundSubject{scopeOf(in.draft), regionOf(in.draft),      nodes.front(),
                                nodes.back(),      found.levels[in.region], repetition ? repetition->times : 0};
    part.repeats = repetition && repetition->times >= minRepeats;
    part.found = static_cast<std::uint32_t>(outline.found.size());
    const std::string title = structure::titleOf(region);
    outline.found.push_back({title, structure::shortTitleOf(region), region.stage > 0 ? "stage" : title,
                             commonPath(m_graph, nodes, m_targets)});
    return part;
}

Builder::Contents Builder::contentsOf(std::uint32_t draft, const std::vector<Run> &runs) const
{
    Contents contents;
    for (const Run &run : runs)
        contents.push_back(run.grouped ? Content(Grouped{draft, run}) : Content(Whole{childrenOf(draft)[run.first]}));
    return contents;
}

Builder::Contents Builder::inside(const Whole &whole) const
{
    if (m_found.contains(whole.draft))
        return inside(InFound{whole.draft, 0});
    const std::uint32_t draft = isLonely(whole.draft) ? lonelyNode(whole.draft) : whole.draft;
    if (!std::holds_alternative<ir::NodeId>(m_drafts[draft].subject) && !m_flat)
        return contentsOf(draft, runsOf(draft));
    return contentsOf(draft, singles(0, static_cast<std::uint32_t>(childrenOf(draft).size())));
}

Builder::Contents Builder::inside(const Grouped &group) const
{
    return contentsOf(group.draft, sliced(singles(group.run.first, group.run.last + 1)));
}

Builder::Contents Builder::inside(const PlumbingInFound &plumbing) const
{
    const auto all = plumbing.drafts | std::views::transform([](std::uint32_t draft) { return Content(Whole{draft}); });
    return {all.begin(), all.end()};
}

/// Returns the regions inside a found region, and the draft's children that lie directly in it. Plumbing is grouped at
/// the position of its first node.
Builder::Contents Builder::inside(const InFound &in) const
{
    const Found &found = m_found.at(in.draft);
    const std::vector<structure::Region> &regions = found.structure.regions;
    const std::span<const std::uint32_t> children = childrenOf(in.draft);
    Contents contents;
    PlumbingInFound plumbing{in.draft, {}};
    std::size_t placeOfPlumbing = 0;
    std::uint32_t child = in.region + 1;
    for (std::uint32_t i = regions[in.region].begin; i < regions[in.region].end;) {
        if (child < found.after[in.region] && regions[child].begin == i) {
            contents.emplace_back(InFound{in.draft, child});
            i = regions[child].end;
            child = found.after[child];
            continue;
        }
        const std::uint32_t draft = children[found.structure.order[i++]];
        if (!onlyPrepares(draft) || !std::holds_alternative<ir::NodeId>(m_drafts[draft].subject)) {
            contents.emplace_back(Whole{draft});
            continue;
        }
        if (plumbing.drafts.empty()) {
            placeOfPlumbing = contents.size();
            contents.emplace_back(Whole{draft});
        }
        plumbing.drafts.push_back(draft);
    }
    if (plumbing.drafts.size() >= minPlumbing)
        contents[placeOfPlumbing] = std::move(plumbing);
    return contents;
}

/// Returns the tree in preorder, with groups inserted and single-node modules removed. Iterative: files nest deeply.
Outline Builder::flattened() const
{
    Outline outline;
    outline.partOfNode.assign(m_graph.nodeCount(), 0);
    outline.parts.reserve(m_drafts.size());
    struct Begin {
        Content content;
        std::uint32_t parent = 0;
    };
    struct End {
        std::uint32_t part;
    };
    std::vector<std::variant<Begin, End>> open{Begin{Whole{}}};
    while (!open.empty()) {
        const std::variant<Begin, End> next = std::move(open.back());
        open.pop_back();
        if (const auto *end = std::get_if<End>(&next)) {
            outline.parts[end->part].end = static_cast<std::uint32_t>(outline.parts.size());
            continue;
        }
        const auto &[content, parent] = std::get<Begin>(next);
        const auto index = static_cast<std::uint32_t>(outline.parts.size());
        Part part = std::visit([&](const auto &of) { return partOf(of, outline); }, content);
        part.parent = parent;
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject))
            outline.partOfNode[node->index] = index;
        outline.parts.push_back(part);
        if (index > 0) {
            ++outline.parts[parent].children;
            outline.parts[parent].working += isPlumbing(outline.parts[index]) ? 0 : 1;
        }
        open.emplace_back(End{index});
        Contents contents = std::visit([&](const auto &of) { return inside(of); }, content);
        for (Content &each : contents | std::views::reverse)
            open.emplace_back(Begin{std::move(each), index});
    }
    if (!outline.found.empty())
        makeNamesDistinct(m_graph, m_targets, outline);
    return outline;
}

/// Returns, by part, the number of its nodes that a state has.
std::vector<std::uint32_t> nodesIn(const Outline &outline, const ir::Graph &state)
{
    std::vector<std::uint32_t> nodes(outline.parts.size(), 0);
    for (std::size_t i = outline.parts.size(); i-- > 0;) {
        if (const auto *node = std::get_if<ir::NodeId>(&outline.parts[i].subject)) {
            const bool isThere = node->index < state.nodeCount() && !state.at(*node).removed;
            nodes[i] = isThere ? nodes[i] + 1 : 0;
        }
        if (i > 0)
            nodes[outline.parts[i].parent] += nodes[i];
    }
    return nodes;
}

} // namespace

Outline outlineOf(const ir::Function &function, bool flat) { return Builder(function, flat, manySiblings).build(); }

Outline withNamedParts(Outline outline, const ir::Function &function)
{
    const bool hasModules = std::ranges::any_of(
        outline.parts, [](const Part &part) { return std::holds_alternative<ScopeSubject>(part.subject); });
    return hasModules || !outline.found.empty() ? std::move(outline) : Builder(function, false, fewSiblings).build();
}

Outline restricted(const Outline &outline, const ir::Graph &state)
{
    const std::vector<std::uint32_t> nodes = nodesIn(outline, state);
    std::vector<bool> isGone(outline.parts.size());
    Outline kept;
    kept.found = outline.found;
    kept.partOfNode.assign(outline.partOfNode.size(), 0);
    std::vector<std::uint32_t> indices(outline.parts.size() + 1, 0); // by part: its index among the kept parts
    for (std::uint32_t i = 0; i < outline.parts.size(); ++i) {
        indices[i] = static_cast<std::uint32_t>(kept.parts.size());
        Part part = outline.parts[i];
        const bool isRegion = std::holds_alternative<ir::RegionId>(part.subject); // a region may be empty
        isGone[i] = i > 0 && (isGone[part.parent] || (nodes[i] == 0 && !isRegion));
        if (isGone[i])
            continue;
        part.parent = indices[part.parent];
        part.nodes = nodes[i];
        part.children = part.working = 0;
        if (const auto *node = std::get_if<ir::NodeId>(&part.subject))
            kept.partOfNode[node->index] = indices[i];
        if (i > 0) {
            ++kept.parts[part.parent].children;
            kept.parts[part.parent].working += isPlumbing(part) ? 0 : 1;
        }
        kept.parts.push_back(part);
    }
    indices.back() = static_cast<std::uint32_t>(kept.parts.size());
    for (std::uint32_t i = 0; i < outline.parts.size(); ++i)
        if (!isGone[i])
            kept.parts[indices[i]].end = indices[outline.parts[i].end];
    return kept;
}

} // namespace cutaway::layout
