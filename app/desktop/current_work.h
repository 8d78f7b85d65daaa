// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace cutaway::views {
class Session;
}

namespace cutaway::desktop {

class Pages;
class Status;

/// Shows in the status bar what the session in front works at, or else which file is read, with a way to cancel it.
class CurrentWork : public QObject {
    Q_OBJECT

public:
    CurrentWork(Pages &pages, Status &status);

    void show();
    /// Shows the work of the session in front whenever it begins or ends, as long as `context` lives.
    void follow(views::Session &session, QObject &context);

private:
    Pages &m_pages;
    Status &m_status;
};

} // namespace cutaway::desktop
