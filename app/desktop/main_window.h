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
    /// Opens what another program asks for, and comes to the front.
    void take(const Letter &letter);
    /// Asks for a file and opens it.
    void browse();
    /// Asks for a folder, or for files in a row, and opens it or them.
    void browseFolder();
    void browseRow();
    /// Opens what was copied: files, or a text with graphs in it.
    void openClipboard();
    /// Opens another model beside the current one.
    void compareWith(const QString &path);
    /// Reads a trace of the model in front, and shows how far that is and its timeline.
    void openTrace(const QString &path);
    /// Reads a second trace and compares it with the one that is open. Precondition: there is one.
    void compareTrace(const QString &path);
    Pages &pages() { return *m_pages; }
    Exports &exports() { return m_exports; }
    void setTheme(views::Theme theme);
    /// Sets the colouring of this model and, unless it colours by a column, that of models opened later in this window.
    void setColouring(const views::Colouring &colouring);
    /// Sets the device for which times are predicted, for models opened later.
    void setDevice(analysis::Device device);
    /// Whether a device was set now or in an earlier window.
    bool hasDevice() const { return m_defaults.hasDevice(); }
    /// Raises a dock; false if no dock has this name.
    bool showDock(const QString &name) { return m_docks.show(name); }
    bool isOpening() const { return m_pages->opening() != nullptr; }
    /// The session of the file in front; nullptr while that has no model, or no file is open.
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
    QUndoGroup *m_edits; ///< edits of the session in front
    Status *m_status;
    Pages *m_pages;
    std::unique_ptr<QObject> m_following; ///< context of all that listens to the session in front
    Docking m_docks;
    CurrentWork m_work;
    Writing m_writing;
    Saving m_saving;
    Exports m_exports;
    Actions m_actions;
    ColouringMenu *m_colouring = nullptr;
    QList<QAction *> m_tabActions; ///< the menu of a tab
};

} // namespace cutaway::desktop
