// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/step_pictures.h"

#include "core/base/formatted.h"
#include "core/base/result.h"
#include "core/base/text.h"
#include "core/base/whole_file.h"
#include "core/drawing/svg.h"
#include "core/layout/layout.h"
#include "core/layout/outline.h"
#include "core/layout/states.h"
#include "core/passes/blame.h"
#include "core/report/html.h"
#include "core/report/markdown.h"
#include "core/report/steps.h"

#include <algorithm>
#include <cctype>
#include <functional>

namespace cutaway::report {

namespace {

/// Returns `name` for use in a file name: other programs name steps with any text, so all but letters, digits, points,
/// dashes and underscores become dashes.
std::string fileStem(std::string_view name)
{
    std::string stem(name);
    const auto isKept = [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '-' || c == '_'; };
    std::ranges::replace_if(stem, std::not_fn(isKept), '-');
    return stem.substr(0, 100);
}

/// A picture of one state, or of two consecutive ones.
struct Drawing {
    layout::Diagram diagram;
    layout::Marks marks;
};

class StepPictures {
public:
    StepPictures(const passes::History &history, std::string prefix, std::stop_token stop)
        : m_history(history),
          m_prefix(std::move(prefix)),
          m_stop(std::move(stop))
    {
    }

    Result<std::vector<DrawnStep>> draw()
    {
        std::vector<DrawnStep> drawn;
        CUTAWAY_TRY(DrawnStep first, drawFile());
        drawn.push_back(std::move(first));
        for (std::size_t i = 0; i < m_history.steps().size(); ++i)
            if (m_history.steps()[i].isChange) {
                CUTAWAY_TRY(DrawnStep step, drawStep(i));
                drawn.push_back(std::move(step));
            }
        return drawn;
    }

private:
    Result<Drawing> draw(const ir::Model &model, const layout::NodeMarks &nodes)
    {
        const ir::FunctionId function = m_history.function();
        const ir::Graph &graph = model.at(function).graph;
        const layout::Outline outline = layout::outlineOf(model.at(function), false);
        const auto expansion = layout::withMarkedShown(layout::readableExpansion(graph, outline), outline, nodes);
        CUTAWAY_TRY(auto diagram,
                    layout::layOut(model, function, expansion, layout::approximateTextWidth,
                                   {.knowledge = {}, .hidden = {}, .outline = &outline}, m_stop));
        Drawing drawing{std::move(diagram), {}};
        if (!nodes.nodes.empty())
            drawing.marks = layout::marksOf(drawing.diagram, graph, outline, nodes);
        return drawing;
    }

    Result<DrawnStep> with(Section section, const std::string &file, Result<Drawing> drawn) const
    {
        CUTAWAY_TRY(const Drawing drawing, std::move(drawn));
        section.id = m_prefix + section.id;
        section.pictures.push_back({drawing::svgForPage(drawing.diagram, drawing.marks), m_prefix + file});
        return DrawnStep{std::move(section), drawing::svg(drawing.diagram, drawing::lightPalette(), drawing.marks)};
    }

    Result<DrawnStep> drawFile()
    {
        return with({.id = "step-0", .title = formatted("0. {}", m_history.startTitle())}, "00-file.svg",
                    draw(*m_history.modelAfter(0), {}));
    }

    Result<DrawnStep> drawStep(std::size_t step)
    {
        const passes::Step &done = m_history.steps()[step];
        const ir::FunctionId function = m_history.function();
        const ir::Model &before = *m_history.modelAfter(step), &after = *m_history.modelAfter(step + 1);
        const auto nodes = layout::marksBetween(before.at(function).graph, after.at(function).graph);
        Section section{.id = formatted("step-{}", step + 1),
                        .title = formatted("{}. {}", step + 1, done.title()),
                        .notes = {std::string(done.description())}};
        if (std::string line = diff::lineOf(passes::patternsOf(m_history, step + 1)); !line.empty())
            section.notes.push_back(sanitized(line) + ".");
        return with(std::move(section), formatted("{:02}-{}.svg", step + 1, fileStem(done.name())),
                    draw(layout::bothStates(before, after, function), nodes));
    }

    const passes::History &m_history;
    std::string m_prefix;
    std::stop_token m_stop;
};

} // namespace

Result<std::vector<DrawnStep>> drawSteps(const passes::History &history, const std::string &prefix,
                                         std::stop_token stop)
{
    return StepPictures(history, prefix, std::move(stop)).draw();
}

Result<void> writePages(Document document, std::vector<DrawnStep> drawn, const std::filesystem::path &folder)
{
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return std::unexpected(
            Error{ErrorKind::Backend, "cannot create the folder: " + error.message(), folder.string()});
    for (DrawnStep &step : drawn) {
        CUTAWAY_RETURN_IF_ERROR(writeWholeFile(folder / step.section.pictures.front().file, step.svg));
        document.sections.push_back(std::move(step.section));
    }
    CUTAWAY_RETURN_IF_ERROR(writeWholeFile(folder / "index.html", html(document, "")));
    return writeWholeFile(folder / "index.md", markdown(document));
}

Result<void> writeStepPictures(const passes::History &history, const std::filesystem::path &folder,
                               std::stop_token stop)
{
    CUTAWAY_TRY(auto drawn, drawSteps(history, {}, std::move(stop)));
    return writePages(stepsDocument(history), std::move(drawn), folder);
}

} // namespace cutaway::report
