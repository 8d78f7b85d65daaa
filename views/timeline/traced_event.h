// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QStringList>

namespace cutaway::views {

class Figures;
struct OpenedTrace;

/// Returns the name of an iteration; a trace without marks of iterations is a single one, "the trace".
QString nameOf(const trace::Iteration &iteration);

/// An event of a trace, and its node in the function that `figures` belong to. Trace and figures outlive this object.
class TracedEvent {
public:
    TracedEvent(const OpenedTrace &opened, const Figures &figures, trace::EventIndex event)
        : m_opened(opened),
          m_figures(figures),
          m_event(event)
    {
    }

    /// Returns the first of the event's nodes that exists, since passes may have removed some; nothing if none does.
    std::optional<ir::NodeId> node() const;
    /// Whether the event itself is linked with its node, rather than an event that contains it.
    bool isLinked() const;
    /// Returns the texts that may be written on the event, the longest first.
    QStringList labels() const;
    /// Returns lines with the event's name, nodes, times and launches.
    QString text() const;

private:
    QString nodesText() const;
    QString timesText() const;
    QStringList launchesText() const;

    const OpenedTrace &m_opened;
    const Figures &m_figures;
    trace::EventIndex m_event;
};

} // namespace cutaway::views
