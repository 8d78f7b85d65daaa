// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/passes/blame.h"
#include "views/parts/latest_work.h"
#include "views/session/selection.h"

#include <QString>

namespace cutaway::views {

class PropertySheet;
class Session;

/// The part of the inspector that shows which steps made, changed or removed the selection. The lines are computed on
/// another thread at the first request, and kept until the selection or the steps change. While steps are still being
/// read, lines that are there stay.
class HistorySection : public QObject {
    Q_OBJECT

public:
    explicit HistorySection(Session &session, QObject *parent);

    /// Adds the section, if there are steps.
    void fill(PropertySheet &sheet);

signals:
    /// Emitted when the lines have changed, so that the sheet has to be filled again.
    void changed();

private:
    /// A step that had an effect on the subject.
    struct Line {
        std::size_t position = 0;
        QString event, step, text;
        std::optional<Selection> subject; ///< the subject that the line selects
    };
    struct Asked {
        std::shared_ptr<const passes::History> history;
        passes::Subject subject;
        bool operator==(const Asked &) const = default;
    };

    static std::vector<Line> linesOf(const Asked &asked, const std::stop_token &stop);
    bool isToBeAsked(const Asked &asked) const;
    void addLine(PropertySheet &sheet, const Line &line);
    void request(Asked asked);

    Session &m_session;
    std::optional<Asked> m_asked;
    std::vector<Line> m_lines; ///< the lines about m_asked; empty until they are computed
    LatestWork m_work;         ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
