// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later

// Makes regions of the meaningful parts of a flow: repeats, stages, branches, and known patterns. All other parts are
// dissolved into the part that contains them, unless that would then have too many items. For a transformer's residual
// block, the sum and the normalization are dissolved, and the rest becomes a region: "attention".

#include "core/structure/structure.h"

#include "core/base/overloaded.h"
#include "core/ir/context.h"
#include "core/ir/node_ref.h"
#include "core/structure/names.h"
#include "core/structure/parts.h"
#include "core/structure/plumbing.h"
#include "core/structure/sections.h"

#include <algorithm>
#include <optional>
#include <span>

namespace cutaway::structure {

namespace {

constexpr std::uint32_t smallestRegion = 4;
constexpr std::uint32_t smallestBlock = 2, smallestBody = 3;
constexpr std::uint32_t tooLarge = 32;       ///< a larger part is divided even if its parts have no names
constexpr std::uint32_t smallestDivided = 9; ///< smaller parts are not divided

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
        m_regions.push_back({.form = Section{}, .name = {}, .parent = 0, .begin = 0, .end = m_flow.stepCount()});
        if (m_parts.empty())
            return std::move(m_regions);
        const Part &whole = m_parts.back();
        m_regions.front().name = summaryOf(contentOf(whole.begin, whole.end));
        putInside(whole, 0);
        return withSections(m_context, m_flow, std::move(m_regions));
    }

private:
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

    Content contentOf(std::uint32_t begin, std::uint32_t end) const
    {
        return structure::contentOf(m_flow.places, begin, end);
    }
    std::string nameOf(const Content &content, std::uint32_t begin, std::span<const Role> weighted) const
    {
        return structure::nameOf(m_context, m_flow.places, content, begin, weighted);
    }
    std::string nameOf(const Part &part) const { return nameOf(contentOf(part), part.begin, part.weighted); }

    std::uint32_t put(Form form, std::string name, std::uint32_t begin, std::uint32_t end, std::uint32_t parent)
    {
        const auto index = static_cast<std::uint32_t>(m_regions.size());
        m_regions.push_back({.form = form,
                             .name = std::move(name),
                             .parent = parent,
                             .begin = m_flow.beginOf(begin),
                             .end = m_flow.beginOf(end)});
        return index;
    }

    /// Adds the regions inside a part, whose own region is `region`.
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

    /// Extends the region of a normalization or activation that is written out by the scaling and shifting that follow.
    void takeScaling(const Part &part, std::size_t child, Region &made)
    {
        const bool shifts = made.name == "layer normalization" || made.name == "RMS normalization";
        if (!shifts && made.name != "GELU")
            return;
        if (made.end != m_flow.beginOf(m_parts[part.children[child]].end))
            return;
        for (std::size_t i = child + 1; i < part.children.size(); ++i) {
            const Part &next = m_parts[part.children[i]];
            if (!isScaling(next) || (!shifts && m_flow.places[next.begin].role != Role::Mul))
                return;
            made.end = m_flow.beginOf(next.end);
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

    /// Adds a chain or fork, or only its contents if it is no region itself.
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

    /// Whether the name of a region describes it completely, so that only parts of it that have names need boxes.
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

    /// In a part that computes x + f(norm(x)), makes a region of f, beside the normalization and the sum.
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

    /// Returns how many of the part's children, from the first one on, form a normalization.
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

    /// Returns the name of the stage's blocks, or of the repeat that is most of it, or its most telling operators.
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

    /// Returns the widths of the children's last weights, without those that repeat the width before.
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

    const ir::Context &m_context;
    const Flow &m_flow;
    const Parts &m_parts;
    std::vector<Region> m_regions;
    std::uint32_t m_stages = 0;
};

std::string namesOf(const Region &region)
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
    return std::holds_alternative<Head>(region.form) ? "head" : namesOf(region);
}

std::string titleOf(const Region &region)
{
    std::string title = shortTitleOf(region);
    if (const std::string content = namesOf(region); content != title)
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
