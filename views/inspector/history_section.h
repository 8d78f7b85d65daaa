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
/// another thread when it is asked for first, and kept until something else is asked for.
class HistorySection : public QObject {
    Q_OBJECT

public:
    explicit HistorySection(Session &session, QObject *parent);

    /// Adds the section, if there are steps; while it is found out, found() tells when to fill the sheet again.
    void fill(PropertySheet &sheet);

signals:
    void found();

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

    static std::vector<Line> linesOf(const Asked &asked);
    void addLine(PropertySheet &sheet, const Line &line);
    void request();

    Session &m_session;
    std::optional<Asked> m_asked;
    std::optional<std::vector<Line>> m_lines; ///< of m_asked; nothing: not found out yet
    LatestWork m_work;                        ///< last: it ends first
};

} // namespace cutaway::views
