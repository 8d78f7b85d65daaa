// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/timeline.h"

#include <QStringList>

namespace cutaway::views {

class Figures;
struct OpenedTrace;

/// A trace without marks of iterations is one.
QString nameOf(const trace::Iteration &iteration);

/// An event of a trace, and what it is of the function that figures are of. Both outlive it.
class TracedEvent {
public:
    TracedEvent(const OpenedTrace &opened, const Figures &figures, trace::EventIndex event)
        : m_opened(opened),
          m_figures(figures),
          m_event(event)
    {
    }

    /// The first of its nodes that is there: passes may have removed some.
    std::optional<ir::NodeId> node() const;
    /// Whether it is the event that is linked, and not one in it.
    bool isLinked() const;
    /// The texts that may be written on it, the longest first.
    QStringList labels() const;
    /// Its name, nodes, times and launches: lines.
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
