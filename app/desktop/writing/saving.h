// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/writing/writing.h"

namespace cutaway::desktop {

class ModelPage;
class Pages;

/// Saves models and sessions: each function asks for the file. The status bar or a message box shows the outcome.
class Saving : public QObject {
    Q_OBJECT

public:
    Saving(QWidget &window, Pages &pages, Writing &writing, Status &status);

    /// Saves the shown model of a page; `then` is called once it is written.
    void saveShown(ModelPage &page, const std::function<void()> &then = {});
    void saveAsOnnx();
    void saveAsPt2();
    /// Saves a node, a module or a part that was found as a model, whose inputs are the values that it reads.
    void extractSelection();
    void saveSession();

private:
    void saveConverted(const QString &title, const QString &filter, bool isPt2);

    QWidget &m_window;
    Pages &m_pages;
    Writing &m_writing;
    Status &m_status;
};

} // namespace cutaway::desktop
