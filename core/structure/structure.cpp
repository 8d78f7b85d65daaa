// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Makes regions of those parts of a flow that tell a reader something: repeats, stages, branches, and known patterns.
// All other parts are dissolved into the part that holds them, unless that would then be too much to look at. The
// wrapper of a transformer's residual block goes, and what is added in the block becomes a region: "attention".

#include "core/structure/structure.h"

#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/structure/names.h"
#include "core/structure/parts.h"
#include "core/structure/plumbing.h"

#include <algorithm>
#include <boost/container_hash/hash.hpp>
#include <functional>
#include <iterator>
#include <optional>
#include <span>
#include <tuple>

namespace cutaway::structure {

namespace {

constexpr std::uint32_t smallestRegion = 4;
constexpr std::uint32_t smallestBlock = 2, smallestBody = 3;
constexpr std::uint32_t mostNamed = 4;       ///< the largest number of nodes that are named by their operators
constexpr std::uint32_t tooLarge = 32;       ///< from this size on a part is divided even if nothing in it has a name
constexpr std::uint32_t smallestDivided = 9; ///< smaller parts are not divided
constexpr std::size_t mostSteps = 48;        ///< steps side by side in one region
constexpr std::size_t leastOfSection = 12, mostOfSection = 32;

class RegionMaker {
public:
    RegionMaker(const ir::Context &context, const Flow &flow, const Parts &parts)
        : m_context(context),
          m_flow(flow),
          m_parts(parts)
    {
    }

    std::vector<Region> make()
    {
        m_regions.push_back({.form = Section{}, .name = {}, .parent = 0, .begin = 0, .end = stepCount()});
        if (m_parts.empty())
            return std::move(m_regions);
        const Part &whole = m_parts.back();
        m_regions.front().name = summaryOf(contentOf(whole.begin, whole.end));
        putInside(whole, 0);
        return withSections();
    }

private:
    std::uint32_t stepCount() const { return static_cast<std::uint32_t>(m_flow.order.size()); }
    std::uint32_t beginOf(std::uint32_t place) const
    {
        return place < m_flow.begins.size() ? m_flow.begins[place] : stepCount();
    }

    Content contentOf(std::uint32_t begin, std::uint32_t end) const
    {
        Content content{.places = end - begin, .first = m_flow.places[begin].role, .last = m_flow.places[end - 1].role};
        for (std::uint32_t i = begin; i < end; ++i) {
            const Place &place = m_flow.places[i];
            ++content.roles[static_cast<std::size_t>(place.role)];
            content.isErf = content.isErf || place.isErf;
            content.isRoot = content.isRoot || place.isRoot;
            content.isVariance = content.isVariance || place.isVariance;
        }
        const std::vector<std::uint32_t> &sources = m_flow.places[end - 1].sources;
        content.isSkipped = end - begin > 1 && !sources.empty() && sources.front() < begin;
        return content;
    }

    Content contentOf(const Part &part) const
    {
        Content content = contentOf(part.begin, part.end);
        content.isSkipped = part.isSkipped;
        content.isUnit = part.form == Part::Form::Unit;
        for (const Part *inside = &part;; inside = &m_parts[inside->children.front()]) {
            if (inside->form == Part::Form::Fork)
                content.branches = inside->branches;
            if (inside->form == Part::Form::Unit && !inside->children.empty())
                content.isSkipped = content.isSkipped || m_parts[inside->children.front()].isSkipped;
            if (inside->children.empty() || inside->form == Part::Form::Fork)
                break;
        }
        return content;
    }

    std::string nameOf(const Content &content, std::uint32_t begin, std::span<const Role> weighted) const
    {
        if (const std::string_view pattern = patternOf(content, weighted); !pattern.empty())
            return std::string(pattern);
        std::string names;
        for (std::uint32_t i = begin; i < begin + content.places && content.places <= mostNamed; ++i) {
            const ir::OpId op = m_flow.places[i].op;
            if (op == ir::OpId{})
                return summaryOf(content);
            names += (names.empty() ? "" : " ") + std::string(m_context.text(m_context.at(op).name));
        }
        return names.empty() ? summaryOf(content) : names;
    }
    std::string nameOf(const Part &part) const { return nameOf(contentOf(part), part.begin, part.weighted); }

    std::uint32_t put(Form form, std::string name, std::uint32_t begin, std::uint32_t end, std::uint32_t parent)
    {
        const auto index = static_cast<std::uint32_t>(m_regions.size());
        m_regions.push_back(
            {.form = form, .name = std::move(name), .parent = parent, .begin = beginOf(begin), .end = beginOf(end)});
        return index;
    }

    /// The regions inside a part, whose own region is `region`.
    void putInside(const Part &part, std::uint32_t region)
    {
        if (part.form != Part::Form::Fork && putResidual(part, region))
            return;
        putChildren(part, 0, part.children.size(), region);
    }

    void putChildren(const Part &part, std::size_t first, std::size_t last, std::uint32_t region)
    {
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t before = m_regions.size();
            putPart(m_parts[part.children[i]], part, region);
            if (m_regions.size() == before + 1 && part.form != Part::Form::Fork)
                takeScaling(part, i, m_regions.back());
        }
    }

    /// Takes the scaling and shifting of a written-out normalization or activation into its region.
    void takeScaling(const Part &part, std::size_t child, Region &made)
    {
        const bool shifts = made.name == "layer normalization" || made.name == "RMS normalization";
        if (!shifts && made.name != "GELU")
            return;
        if (made.end != beginOf(m_parts[part.children[child]].end))
            return;
        for (std::size_t i = child + 1; i < part.children.size(); ++i) {
            const Part &next = m_parts[part.children[i]];
            if (!isScaling(next) || (!shifts && m_flow.places[next.begin].role != Role::Mul))
                return;
            made.end = beginOf(next.end);
        }
    }

    void putPart(const Part &part, const Part &around, std::uint32_t region)
    {
        switch (part.form) {
        case Part::Form::Step:
            return;
        case Part::Form::Run: {
            const Part &unit = m_parts[part.children.front()];
            const std::uint32_t run = put(Repetition{static_cast<std::uint32_t>(part.children.size())}, nameOf(unit),
                                          part.begin, part.end, region);
            m_regions[run].widths = widthsOf(part);
            countStage(part, run);
            return putInside(part, run);
        }
        case Part::Form::Unit:
            return putRegion(Block{}, part, region, smallestBlock);
        case Part::Form::Stage: {
            const std::uint32_t stage = put(Stage{}, stageName(part), part.begin, part.end, region);
            m_regions[stage].widths = widthsOf(part);
            countStage(part, stage);
            return putInside(part, stage);
        }
        case Part::Form::Chain:
        case Part::Form::Fork:
            return putSection(part, around, region);
        }
    }

    /// Puts a chain or fork, or only what is in it where it is no region of its own.
    void putSection(const Part &part, const Part &around, std::uint32_t region)
    {
        const bool isWhole = part.begin == around.begin && part.end == around.end;
        if (around.form == Part::Form::Fork && part.size() >= smallestRegion && around.size() >= smallestDivided
            && !isAtom(region))
            return putRegion(around.isHeads ? Form(Head{}) : Form(Branch{}), part, region, smallestRegion);
        if (putResidual(part, region))
            return;
        if (!isWhole && isWorthIt(part, region))
            return putRegion(Section{}, part, region, smallestRegion);
        putInside(part, region);
    }

    void countStage(const Part &part, std::uint32_t region)
    {
        if (part.isStage)
            m_regions[region].stage = ++m_stages;
    }

    bool isWorthIt(const Part &part, std::uint32_t region) const
    {
        if (part.size() < smallestRegion)
            return false;
        const std::string_view pattern = patternOf(contentOf(part), part.weighted);
        return (!pattern.empty() && pattern != m_regions[region].name) || part.size() > tooLarge;
    }

    /// Whether a region is known as a whole, so that nothing in it needs a box but what is known itself.
    bool isAtom(std::uint32_t region) const
    {
        const std::string_view name = m_regions[region].name;
        return isPattern(name) && !isCompound(name);
    }

    void putRegion(Form form, const Part &part, std::uint32_t region, std::uint32_t smallest)
    {
        if (part.size() < smallest)
            return;
        const std::uint32_t made = put(form, nameOf(part), part.begin, part.end, region);
        countStage(part, made);
        if (part.size() >= smallestDivided)
            putInside(part, made);
    }

    bool isNormalizing(const Part &part) const
    {
        if (part.form == Part::Form::Step)
            return m_flow.places[part.begin].role == Role::Norm;
        const Content content = contentOf(part);
        return part.weighted.empty() && content.isRoot && content.count(Role::Mean) > 0;
    }

    /// Makes a region of f in a part that computes x + f(norm(x)), beside the normalization and the sum.
    bool putResidual(const Part &part, std::uint32_t region)
    {
        if (!part.isSkipped || part.children.size() < 3 || m_flow.places[part.end - 1].role != Role::Add)
            return false;
        const auto child = [&](std::size_t i) -> const Part & { return m_parts[part.children[i]]; };
        const std::size_t first = normalizingIn(part);
        const std::uint32_t begin = child(first).begin, end = child(part.children.size() - 1).begin;
        if (child(part.children.size() - 1).form != Part::Form::Step || end - begin < smallestBody)
            return false;
        Content content = contentOf(begin, end);
        content.isSkipped = false;
        const std::string_view pattern = patternOf(content, part.weighted);
        if (pattern.empty() || pattern == m_regions[region].name)
            return false;
        if (begin - part.begin >= smallestRegion)
            put(Section{}, nameOf(contentOf(part.begin, begin), part.begin, {}), part.begin, begin, region);
        const std::uint32_t made = put(Section{}, std::string(pattern), begin, end, region);
        if (end - begin >= smallestDivided)
            putChildren(part, first, part.children.size() - 1, made);
        return true;
    }

    /// How many of its children, from the first one on, are a normalization.
    std::size_t normalizingIn(const Part &part) const
    {
        const auto isPlain = [&](const Part &child) {
            const Role role = m_flow.places[child.begin].role;
            const bool may = role == Role::Mean || role == Role::Arithmetic || role == Role::Add || role == Role::Mul;
            return child.form == Part::Form::Step ? may : isNormalizing(child);
        };
        if (m_flow.places[part.begin].role == Role::Norm)
            return 1;
        std::size_t first = 0;
        while (first + 1 < part.children.size() && isPlain(m_parts[part.children[first]]))
            ++first;
        if (first == 0)
            return 0;
        const Content content = contentOf(part.begin, m_parts[part.children[first]].begin);
        return content.isRoot && content.count(Role::Mean) > 0 ? first : 0;
    }

    bool isScaling(const Part &part) const
    {
        const Role role = m_flow.places[part.begin].role;
        return part.form == Part::Form::Step && (role == Role::Mul || role == Role::Add)
            && m_flow.places[part.begin].sources.size() == 1;
    }

    /// The name of the stage's blocks; else the repeat that is most of the stage, or its most telling operators.
    std::string stageName(const Part &stage) const
    {
        for (const std::uint32_t child : stage.children) {
            const Part *part = &m_parts[child];
            if (part->form == Part::Form::Run)
                part = &m_parts[part->children.front()];
            if (part->form == Part::Form::Unit)
                if (const auto pattern = patternOf(contentOf(*part), part->weighted); !pattern.empty())
                    return std::string(pattern);
        }
        for (const std::uint32_t child : stage.children)
            if (const Part &run = m_parts[child]; run.form == Part::Form::Run && 2 * run.size() > stage.size())
                return std::to_string(run.children.size()) + " × " + nameOf(m_parts[run.children.front()]);
        return summaryOf(contentOf(stage.begin, stage.end));
    }

    /// The widths of the children's last weights, each where it differs from the width before.
    std::vector<std::int64_t> widthsOf(const Part &part) const
    {
        std::vector<std::int64_t> widths;
        for (const std::uint32_t child : part.children) {
            std::int64_t width = 0;
            for (std::uint32_t i = m_parts[child].begin; i < m_parts[child].end; ++i)
                if (m_flow.places[i].width > 0)
                    width = m_flow.places[i].width;
            if (width > 0 && (widths.empty() || widths.back() != width))
                widths.push_back(width);
        }
        return widths;
    }

    /// Something in a region: a region, or a step.
    struct Item {
        std::optional<std::uint32_t> region;
        std::uint32_t begin = 0, end = 0;
        std::vector<Item> inside{}; ///< of a section that holds these
    };

    /// The regions, with sections in those that have too many things side by side.
    std::vector<Region> withSections()
    {
        std::vector<std::vector<std::uint32_t>> children(m_regions.size());
        for (std::uint32_t i = 1; i < m_regions.size(); ++i)
            children[m_regions[i].parent].push_back(i);
        std::vector<Region> out;
        const std::function<void(const Item &, std::uint32_t)> write = [&](const Item &item, std::uint32_t parent) {
            if (!item.region && item.inside.empty())
                return;
            const auto index = static_cast<std::uint32_t>(out.size());
            out.push_back(item.region ? std::move(m_regions[*item.region]) : sectionOf(item));
            out.back().parent = parent;
            const std::vector<Item> inside =
                item.region ? divided(itemsOf(out.back(), children[*item.region])) : item.inside;
            for (const Item &each : inside)
                write(each, index);
        };
        write({0, 0, stepCount(), {}}, 0);
        return out;
    }

    Region sectionOf(const Item &item) const
    {
        const std::uint32_t begin = placeAt(item.begin), end = placeAt(item.end);
        return {.form = Section{},
                .name = begin < end ? nameOf(contentOf(begin, end), begin, {}) : "plumbing",
                .parent = 0,
                .begin = item.begin,
                .end = item.end};
    }

    std::vector<Item> itemsOf(const Region &region, const std::vector<std::uint32_t> &children) const
    {
        std::vector<Item> items;
        std::uint32_t next = region.begin;
        const auto steps = [&](std::uint32_t end) {
            for (std::uint32_t place = placeAt(next); next < end; ++place) {
                const std::uint32_t last = std::min(end, beginOf(place + 1));
                items.push_back({std::nullopt, next, last, {}});
                next = last;
            }
        };
        for (const std::uint32_t child : children) {
            steps(m_regions[child].begin);
            items.push_back({child, m_regions[child].begin, m_regions[child].end, {}});
            next = m_regions[child].end;
        }
        steps(region.end);
        return items;
    }

    /// The place that the step at an index of the order has or, if it only prepares, the place that it prepares for.
    std::uint32_t placeAt(std::uint32_t step) const
    {
        if (step >= stepCount())
            return static_cast<std::uint32_t>(m_flow.places.size());
        return static_cast<std::uint32_t>(std::ranges::upper_bound(m_flow.begins, step) - m_flow.begins.begin()) - 1;
    }

    /// Cut where fewest values pass; between equals the contents decide, not the number, so that a change moves no cut
    /// that is far from it.
    std::vector<Item> divided(std::vector<Item> items) const
    {
        while (items.size() > mostSteps) {
            std::vector<Item> sections;
            for (std::size_t begin = 0; begin < items.size();) {
                std::size_t end = std::min(begin + mostOfSection, items.size());
                if (end < items.size())
                    for (std::size_t i = begin + leastOfSection; i < end; ++i)
                        end = costOf(items[i]) < costOf(items[end]) ? i : end;
                Item section{std::nullopt, items[begin].begin, items[end - 1].end, {}};
                std::move(items.begin() + static_cast<std::ptrdiff_t>(begin),
                          items.begin() + static_cast<std::ptrdiff_t>(end), std::back_inserter(section.inside));
                sections.push_back(std::move(section));
                begin = end;
            }
            items = std::move(sections);
        }
        return items;
    }

    /// Orders places for a cut: the cut before the item with the least cost is the best one.
    std::tuple<std::uint32_t, bool, std::size_t> costOf(const Item &item) const
    {
        const std::uint32_t place = placeAt(item.begin);
        std::size_t content = 0;
        for (std::uint32_t i = place; i < std::min<std::size_t>(place + 3, m_flow.places.size()); ++i)
            boost::hash_combine(content, m_flow.places[i].token);
        return {m_flow.crossings[place], !isWeighted(m_flow.places[place].role), content};
    }

    const ir::Context &m_context;
    const Flow &m_flow;
    const Parts &m_parts;
    std::vector<Region> m_regions;
    std::uint32_t m_stages = 0;
};

std::string contentOf(const Region &region)
{
    const auto *repetition = std::get_if<Repetition>(&region.form);
    return repetition ? std::to_string(repetition->times) + " × " + region.name : region.name;
}

} // namespace

Structure structureOf(const ir::Graph &graph, ir::RegionId region, const Steps &steps,
                      const std::vector<bool> &plumbing)
{
    Flow flow = flowOf(graph, region, steps, plumbing);
    const Parts parts = partsOf(flow);
    Structure made;
    made.regions = RegionMaker(graph.context(), flow, parts).make();
    made.isTopological = flow.isTopological;
    made.order = std::move(flow.order);
    made.prepares = std::move(flow.prepares);
    return made;
}

Structure structureOf(const ir::Graph &graph, ir::RegionId region)
{
    Steps steps;
    steps.reserve(graph.at(region).nodes.size());
    for (const ir::NodeId node : graph.at(region).nodes)
        steps.push_back({node});
    return structureOf(graph, region, steps, plumbingOf(graph));
}

std::string shortTitleOf(const Region &region)
{
    if (region.stage > 0)
        return "stage " + std::to_string(region.stage);
    return std::holds_alternative<Head>(region.form) ? "head" : contentOf(region);
}

std::string titleOf(const Region &region)
{
    std::string title = shortTitleOf(region);
    if (const std::string content = contentOf(region); content != title)
        title += ": " + content;
    if (region.widths.size() > 1)
        for (std::size_t i = 0; i < region.widths.size(); ++i)
            title += (i == 0 ? ", " : " → ") + std::to_string(region.widths[i]);
    return title;
}

std::string printStructure(const ir::Graph &graph, ir::RegionId region, const Structure &structure)
{
    const std::vector<ir::NodeId> &nodes = graph.at(region).nodes;
    std::string text;
    const auto line = [&](int depth, const std::string &what) {
        text += std::string(static_cast<std::size_t>(depth) * 2, ' ') + what + "\n";
    };
    std::vector<std::uint32_t> open; // ends of the regions around
    std::uint32_t next = 0;
    const auto steps = [&](std::uint32_t end) {
        for (; next < end; ++next) {
            while (!open.empty() && open.back() <= next)
                open.pop_back();
            const ir::NodeRef node(graph, nodes[structure.order[next]]);
            std::string name(node.name());
            if (name.empty() && node.outputCount() > 0)
                name = node.output(0).name();
            const std::string what = std::string(node.opName()) + (name.empty() ? "" : " " + name);
            line(static_cast<int>(open.size()), structure.prepares[structure.order[next]] ? "(" + what + ")" : what);
        }
    };
    for (std::size_t i = 1; i < structure.regions.size(); ++i) {
        const Region &r = structure.regions[i];
        steps(r.begin);
        while (!open.empty() && open.back() <= r.begin)
            open.pop_back();
        line(static_cast<int>(open.size()), "[" + titleOf(r) + "]");
        open.push_back(r.end);
    }
    steps(static_cast<std::uint32_t>(structure.order.size()));
    return text;
}

} // namespace cutaway::structure
