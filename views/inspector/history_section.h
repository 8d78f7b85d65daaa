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

/// The part of the inspector that tells which steps made, changed or removed what is selected. It is found out on
/// another thread when it is asked for first, and kept until something else is selected or there are other steps; steps
/// that are being read are waited for.
class HistorySection : public QObject {
    Q_OBJECT

public:
    explicit HistorySection(Session &session, QObject *parent);

    /// Adds the section, if there are steps.
    void fill(PropertySheet &sheet);

signals:
    /// The sheet is to be filled again: the section has other lines, or is to be asked for again.
    void changed();

private:
    /// One step that did something.
    struct Line {
        std::size_t position = 0;
        QString event, step, text;
        std::optional<Selection> subject; ///< to select there
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
    std::vector<Line> m_lines; ///< lines on the subject in m_asked; empty until they are found
    LatestWork m_work;         ///< last: it ends first
};

} // namespace cutaway::views
