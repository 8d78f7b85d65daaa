// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/current_work.h"
#include "app/desktop/docks/docking.h"
#include "app/desktop/menus/actions.h"
#include "app/desktop/pages.h"
#include "app/desktop/session_defaults.h"
#include "app/desktop/writing/exports.h"
#include "app/desktop/writing/saving.h"

#include <QMainWindow>

class QUndoGroup;

namespace cutaway::views {
enum class Theme;
}

namespace cutaway::desktop {

class ColouringMenu;
struct Letter;

/// The main window: the open files, and docks, menus and a status bar, which show the file in front. It keeps its
/// arrangement, theme, colouring, recent files and the chosen device in `settings`.
class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(std::unique_ptr<QSettings> settings);
    ~MainWindow() override;

    /// Opens a file as Pages::open() does.
    void open(const QString &path) { m_pages->open(path); }
    /// Opens the files that another program asks for, and raises the window.
    void take(const Letter &letter);
    /// Asks for a file and opens it.
    void browse();
    /// These functions ask for a folder, or for files in a row, and open what the user chooses.
    void browseFolder();
    void browseRow();
    /// Opens what is in the clipboard: files, or a text with graphs.
    void openClipboard();
    /// Opens another model in a pane beside the current one, and compares them.
    void compareWith(const QString &path);
    /// Reads a trace of the model in front, and raises the docks that show the progress and the timeline.
    void openTrace(const QString &path);
    /// Reads a second trace and compares it with the one that is open. Precondition: there is one.
    void compareTrace(const QString &path);
    Pages &pages() { return *m_pages; }
    Exports &exports() { return m_exports; }
    void setTheme(views::Theme theme);
    /// Sets the colouring of the model in front and, unless it is by a column, of models opened later in this window.
    void setColouring(const views::Colouring &colouring);
    /// Sets the device whose times are predicted, for models that are opened later.
    void setDevice(analysis::Device device);
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_defaults.hasDevice(); }
    /// Raises the dock of this name; false if there is none.
    bool showDock(const QString &name) { return m_docks.show(name); }
    bool isOpening() const { return m_pages->opening() != nullptr; }
    /// Returns the session of the file in front; nullptr if that has no model, or no file is open.
    views::Session *session() const { return m_pages->current() ? m_pages->current()->session() : nullptr; }

signals:
    void opened();
    void openingFailed(const QString &path, const cutaway::Error &error);

protected:
    bool focusNextPrevChild(bool next) override;
    void closeEvent(QCloseEvent *event) override;
    void dragEnterEvent(QDragEnterEvent *event) override;
    void dropEvent(QDropEvent *event) override;

private:
    bool hasModel() const;
    QString folderInFront() const;
    void connectPages();
    void makeMenus();
    void restore();
    void followPage();
    void followSession(views::Session &session);
    void followDocks(views::Session &session);
    void takePlugins();
    void showFacts();

    std::unique_ptr<QSettings> m_settings;
    SessionDefaults m_defaults;
    QUndoGroup *m_edits; ///< undo and redo of the session in front
    Status *m_status;
    Pages *m_pages;
    std::unique_ptr<QObject> m_following; ///< the context of all connections to the session in front
    Docking m_docks;
    CurrentWork m_work;
    Writing m_writing;
    Saving m_saving;
    Exports m_exports;
    Actions m_actions;
    ColouringMenu *m_colouring = nullptr;
    QList<QAction *> m_tabActions; ///< actions for the menu of a tab
};

} // namespace cutaway::desktop
