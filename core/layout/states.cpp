// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/states.h"

#include "core/layout/card.h"
#include "core/layout/describe_part.h"
#include "core/layout/outline.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <ranges>

namespace cutaway::layout {

namespace {

constexpr std::size_t leastText = 4;

/// The texts of one state's boxes.
class Descriptions {
public:
    Descriptions(const ir::Model &model, ir::FunctionId function, const Knowledge &knowledge)
        : m_model(model),
          m_function(model.at(function)),
          m_knowledge(knowledge),
          m_outline(outlineOf(m_function, false))
    {
        for (std::uint32_t i = 0; i < m_outline.parts.size(); ++i)
            m_parts.emplace(m_outline.parts[i].subject, i);
    }

    /// Nothing for a subject that the state lacks, and for groups, whose contents differ between states.
    std::optional<std::vector<Line>> of(const Subject &subject) const
    {
        const auto part = m_parts.find(subject);
        if (part == m_parts.end() || std::holds_alternative<GroupSubject>(subject))
            return std::nullopt;
        return describePart(m_model, m_function, m_outline, part->second, m_knowledge);
    }

private:
    const ir::Model &m_model;
    const ir::Function &m_function;
    const Knowledge &m_knowledge;
    Outline m_outline;
    std::map<Subject, std::uint32_t> m_parts;
};

std::vector<Line> shortenedTo(std::vector<Line> lines, std::size_t limit)
{
    for (Line &line : lines)
        line.text = shortened(line.text, limit);
    return lines;
}

std::vector<Line> fitted(std::vector<Line> lines, const Box &box, const TextMeasure &measure)
{
    const auto size = [&](const std::vector<Line> &of) {
        return box.open ? Size{headerWidth(of, measure), 0} : cardSize(of, box.kind, measure);
    };
    while (lines.size() > 1 && size(lines).height > box.rect.height + 0.5)
        lines.pop_back();
    std::size_t limit = std::ranges::max(lines, {}, [](const Line &line) { return line.text.size(); }).text.size();
    std::vector<Line> shown = lines;
    while (limit > leastText && size(shown).width > box.rect.width + 0.5)
        shown = shortenedTo(lines, --limit);
    return shown;
}

} // namespace

ir::Model bothStates(const ir::Model &before, const ir::Model &after, ir::FunctionId function)
{
    ir::Model both = after;
    both.functions[function.index].graph.restore(before.at(function).graph);
    return both;
}

ir::Model allStates(const std::vector<std::shared_ptr<const ir::Model>> &states, ir::FunctionId function)
{
    assert(!states.empty());
    ir::Model all = *states.back();
    for (const auto &state : std::views::reverse(states))
        all.functions[function.index].graph.restore(state->at(function).graph);
    return all;
}

void describeStates(Diagram &diagram, const ShownStates &states, ir::FunctionId function, const Knowledge &knowledge,
                    const TextMeasure &measure)
{
    const Descriptions after(states.after, function, knowledge), before(states.before, function, knowledge);
    for (Box &box : diagram.boxes) {
        auto lines = after.of(box.subject);
        if (!lines)
            lines = before.of(box.subject);
        if (lines && !lines->empty())
            box.lines = fitted(std::move(*lines), box, measure);
    }
}

} // namespace cutaway::layout
