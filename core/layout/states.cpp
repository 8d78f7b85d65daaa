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

/// The texts of the picture's boxes as they are in one state.
class Descriptions {
public:
    Descriptions(const ir::Model &model, ir::FunctionId function, const Outline &drawn, const Knowledge &knowledge)
        : m_model(model),
          m_function(model.at(function)),
          m_knowledge(knowledge),
          m_reads(model, m_function.graph),
          m_outline(restricted(drawn, m_function.graph))
    {
        for (std::uint32_t i = 0; i < m_outline.parts.size(); ++i)
            m_parts.emplace(m_outline.parts[i].subject, i);
    }

    /// Returns the lines of a subject's box; nothing if the state lacks the subject.
    std::optional<std::vector<Line>> of(const Subject &subject) const
    {
        if (const auto *output = std::get_if<OutputSubject>(&subject))
            return ofOutput(*output);
        const auto part = m_parts.find(subject);
        if (part == m_parts.end())
            return std::nullopt;
        return describePart(m_model, m_function, m_outline, part->second, m_reads, m_knowledge);
    }

    std::optional<std::vector<Line>> ofOutput(const OutputSubject &output) const
    {
        const ir::Graph &graph = m_function.graph;
        if (output.region.index >= graph.regionCount() || output.index >= graph.at(output.region).outputs.size())
            return std::nullopt;
        return describeOutput(m_function, output.region, output.index, m_knowledge);
    }

private:
    const ir::Model &m_model;
    const ir::Function &m_function;
    const Knowledge &m_knowledge;
    const analysis::ParameterReads m_reads;
    Outline m_outline;
    std::map<Subject, std::uint32_t> m_parts;
};

/// Returns the beginning of a text, at most `length` bytes, followed by an ellipsis.
std::string cut(const std::string &text, std::size_t length)
{
    while (length > 0 && (static_cast<unsigned char>(text[length]) & 0xC0) == 0x80)
        --length;
    return text.substr(0, length) + "…";
}

/// Widens a closed box for its lines, by at most `growth` at each side.
void grow(Box &box, const std::vector<Line> &lines, const TextMeasure &measure, double growth)
{
    const double missing = box.open ? 0 : cardSize(lines, box.kind, measure).width - box.rect.width;
    const double added = std::clamp(missing / 2, 0.0, growth);
    box.rect.x -= added;
    box.rect.width += 2 * added;
}

/// Returns the lines that a box has room for; a line that is too long loses its end.
std::vector<Line> fitted(std::vector<Line> lines, const Box &box, const TextMeasure &measure)
{
    const auto size = [&](const std::vector<Line> &of) {
        return box.open ? Size{headerWidth(of, measure), 0} : cardSize(of, box.kind, measure);
    };
    const auto isTooWide = [&](const std::vector<Line> &of) { return size(of).width > box.rect.width + 0.5; };
    while (lines.size() > 1 && size(lines).height > box.rect.height + 0.5)
        lines.pop_back();
    if (lines.size() > 1 && lines[1].style == Line::Style::Muted && isTooWide({lines[0], lines[1]}))
        lines.erase(lines.begin() + 1); // the text beside the title gives way to the title
    for (Line &line : lines) {
        const std::string whole = line.text;
        for (std::size_t length = whole.size(); length > leastText && isTooWide({line});)
            line.text = cut(whole, --length);
    }
    return lines;
}

/// Whether a pill stands for several outputs, so that its text is not that of any one.
bool isOfSeveral(const Box &box, const ir::Function &drawn)
{
    const auto *output = std::get_if<OutputSubject>(&box.subject);
    return output
        && (box.lines.empty()
            || box.lines.front().text != describeOutput(drawn, output->region, output->index).front().text);
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
                    const TextMeasure &measure, double growth)
{
    const Outline drawn = outlineOf(states.drawn.at(function), false);
    const Descriptions after(states.after, function, drawn, knowledge),
        before(states.before, function, drawn, knowledge);
    for (Box &box : diagram.boxes) {
        if (isOfSeveral(box, states.drawn.at(function)))
            continue;
        auto lines = after.of(box.subject);
        if (!lines)
            lines = before.of(box.subject);
        if (!lines || lines->empty())
            continue;
        grow(box, *lines, measure, growth);
        box.lines = fitted(std::move(*lines), box, measure);
    }
}

} // namespace cutaway::layout
