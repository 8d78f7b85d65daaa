// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/inspector/history_section.h"

#include "core/base/overloaded.h"
#include "core/print/text_table.h"
#include "views/parts/property_sheet.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"
#include "views/session/navigation.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <utility>

namespace cutaway::views {
namespace {

constexpr std::size_t maxLines = 24;

/// Returns the subject whose history is computed for a selection; nothing for groups, regions and outputs.
std::optional<passes::Subject> blameSubjectOf(const Selection &selection)
{
    using Found = std::optional<passes::Subject>;
    return std::visit(Overloaded{[](ir::NodeId node) { return Found(node); },
                                 [](ir::ValueId value) { return Found(value); },
                                 [](const layout::ScopeSubject &module) { return Found(module.scope); },
                                 [](const layout::InputSubject &input) { return Found(input.value); },
                                 [](const auto &) { return Found(); }},
                      selection);
}

/// Returns the node or value that a line about a step selects; nothing if nothing is left of the subject. For a node
/// that the step removed, it is the node as it was before the step.
std::optional<Selection> shownAt(std::span<const passes::BlameEntry> entries, std::size_t position,
                                 const passes::Subject &subject)
{
    const auto &now = entries[position].nodes;
    const auto &nodes = now.empty() && position > 0 ? entries[position - 1].nodes : now;
    if (const auto *value = std::get_if<ir::ValueId>(&subject); value && nodes.empty())
        return now.empty() && entries[position].event == passes::Event::Gone ? std::nullopt
                                                                             : std::optional<Selection>(*value);
    return nodes.empty() ? std::nullopt : std::optional<Selection>(nodes.front());
}

QString wordFor(passes::Event event)
{
    switch (event) {
    case passes::Event::Made:
        return QObject::tr("made");
    case passes::Event::Changed:
        return QObject::tr("changed");
    case passes::Event::Fused:
        return QObject::tr("fused");
    case passes::Event::Gone:
        return QObject::tr("gone");
    case passes::Event::Kept:
        break;
    }
    return {};
}

/// Returns the sentence about an event without the word for the event, which stands beside it.
QString textOf(const passes::History &history, const passes::Subject &subject, const passes::BlameEntry &entry)
{
    const QString text = shown(print::withoutBackquotes(passes::sentence(history, subject, entry)));
    const QString word = shown(passes::name(*entry.event));
    return text == word ? QString() : text.startsWith(word + ", ") ? text.sliced(word.size() + 2) : text;
}

} // namespace

HistorySection::HistorySection(Session &session, QObject *parent) : QObject(parent), m_session(session)
{
    const Stepping &stepping = session.stepping();
    const auto follow = [this, &stepping] {
        if (!stepping.isRunning())
            emit changed();
    };
    connect(&stepping, &Stepping::stepsChanged, this, follow);
    connect(&stepping, &Stepping::runningChanged, this, follow); // reading may have been stopped
}

/// Whether the history has to be computed: for another subject, or for more steps once all are read. While steps are
/// being read, the lines for the same subject stay.
bool HistorySection::isToBeAsked(const Asked &asked) const
{
    if (!m_asked || m_asked->subject != asked.subject)
        return true;
    return m_asked->history != asked.history && !m_session.stepping().isRunning();
}

void HistorySection::fill(PropertySheet &sheet)
{
    const auto &history = m_session.stepping().history();
    const auto subject = history ? blameSubjectOf(m_session.navigation().selection()) : std::nullopt;
    if (!subject) {
        m_asked.reset();
        m_lines.clear();
        return;
    }
    if (const Asked asked{history, *subject}; isToBeAsked(asked))
        request(asked);
    if (m_lines.empty())
        return;
    sheet.section(tr("History"));
    for (std::size_t i = 0; i < std::min(maxLines, m_lines.size()); ++i)
        addLine(sheet, m_lines[i]);
    if (m_lines.size() > maxLines)
        sheet.muted(tr("… %1 more").arg(m_lines.size() - maxLines));
}

void HistorySection::addLine(PropertySheet &sheet, const Line &line)
{
    sheet.link(
        line.event, line.step,
        [this, position = line.position, subject = line.subject] {
            m_session.stepping().goTo(position);
            if (subject)
                m_session.navigation().reveal(*subject);
        },
        line.text.isEmpty() ? line.step : line.step + '\n' + line.text, line.text);
}

/// Computes the lines on another thread. The lines of the same subject stay until the new ones are there.
void HistorySection::request(Asked asked)
{
    if (!m_asked || m_asked->subject != asked.subject)
        m_lines.clear();
    m_asked = std::move(asked);
    m_work.request([this, asked = *m_asked](const std::stop_token &stop) -> LatestWork::Finish {
        return [this, lines = linesOf(asked, stop)] {
            m_lines = lines;
            emit changed();
        };
    });
}

std::vector<HistorySection::Line> HistorySection::linesOf(const Asked &asked, const std::stop_token &stop)
{
    const auto &[history, subject] = asked;
    const auto entries = passes::blameOf(*history, subject);
    std::vector<Line> lines;
    for (const std::size_t at : passes::changesOf(entries)) {
        if (stop.stop_requested())
            break;
        const QString event = at == 0 ? tr("from") : wordFor(*entries[at].event);
        const QString step = at == 0 ? shown(history->startTitle())
                                     : QStringLiteral("%1  %2").arg(at).arg(stepName(history->steps()[at - 1]));
        const bool hasText = lines.size() < maxLines; // later lines have no text, since the texts of modules take long
        lines.push_back({at, event, step, hasText ? textOf(*history, subject, entries[at]) : QString(),
                         shownAt(entries, at, subject)});
    }
    return lines;
}

} // namespace cutaway::views
