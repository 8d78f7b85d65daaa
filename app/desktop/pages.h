// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/desktop/keeping/kept_pages.h"
#include "app/desktop/keeping/restored_pages.h"
#include "app/desktop/model_page.h"
#include "app/desktop/panes/lockstep.h"
#include "app/desktop/watching/file_watch.h"

#include <QPointer>

class QSettings;

namespace cutaway::desktop {

class Pane;
class Panes;

/// The open files of a window, each in a tab of one of the panes beside each other, or the start page. It opens,
/// reloads and closes files, and reports when one has changed. `settings` has the recent files; sessions are kept in a
/// folder beside it.
class Pages : public QWidget {
    Q_OBJECT

public:
    /// Gives each new session the settings of the window.
    using Prepare = std::function<void(views::Session &)>;

    Pages(QSettings &settings, Prepare prepare, QWidget *parent);
    ~Pages() override;

    /// Returns the page in front of the active pane; nullptr while no file is open.
    ModelPage *current() const;
    /// Returns the page that reads a file; if several do, preferably the one in front, then the one that the user asked
    /// for last; nullptr if none does.
    ModelPage *opening() const;
    /// Returns the panes. Only this class opens and closes their pages.
    Panes &panes() { return *m_panes; }
    Lockstep &lockstep() { return m_lockstep; }
    KeptPages &kept() { return m_kept; }

    /// Opens a file in a new tab, or brings its tab to the front if it is open. The file may be a model, a saved
    /// session, or the database of a survey. It may also be a log or a folder that another compiler wrote, whose
    /// sequences are listed, or the address of a step or a sequence in it.
    void open(const QString &path);
    /// Opens files in a row, text from elsewhere, or a sequence in the same way, and returns its page.
    ModelPage &open(const Source &source);
    /// Opens a model and compares it with another one.
    void openTwo(const Source &first, const QString &second);
    /// Opens a file as open() does, but in the pane to the right of the active one, and a second time if it is open
    /// already.
    void openBeside(const QString &path);
    /// Returns the page of the survey that was opened last; nullptr if it is closed or there was none.
    ModelPage *survey() const { return m_survey; }
    /// Reads a file again; all views of it keep their state.
    void reload(ModelPage &page);
    /// Closes a page. If results of its passes are not saved, the user is asked first.
    void close(ModelPage &page);
    /// Closes all pages before the window closes. Returns false if the user is asked first; `again` is called once the
    /// pages may be closed.
    bool closeAll(const std::function<void()> &again);

signals:
    /// Emitted when another page is in front, the page in front has another model, or the number of pages has changed.
    void currentChanged();
    void opened(cutaway::desktop::ModelPage *page);
    /// Emitted when a trace was opened in front, whose events are then shown; not when it was reloaded.
    void traceOpened();
    void openingFailed(const QString &path, const cutaway::Error &error);
    void surveyShown();
    void browseRequested();
    /// Emitted to have the shown model of a page written; `then` is called once it was.
    void savingRequested(cutaway::desktop::ModelPage *page, const std::function<void()> &then);
    /// Emitted when the reading of a file begins or ends.
    void workChanged();
    /// Reports the progress of reading a file; `total` is 0 if it is unknown.
    void progress(const QString &what, quint64 done, quint64 total);

private:
    void showStart();
    ModelPage &add(const Source &source, Pane &pane);
    void connectTo(ModelPage &page);
    void read(ModelPage &page);
    void readOnce(ModelPage &page);
    void showReason(ModelPage &page, const Error &error);
    void showFailure(ModelPage &page, const Error &error);
    void showModel(ModelPage &page, const ReadModel &read);
    void showListed(ModelPage &page, const std::shared_ptr<const sequence::Document> &document);
    void finish(ModelPage &page);
    void activate();
    void drop(ModelPage &page);
    void follow(ModelPage &page);
    void tell(const QString &path, FileWatch::State state);

    void openSurvey(const QString &path);
    void openSession(const QString &path, bool isBeside);

    QSettings &m_settings;
    Prepare m_prepare;
    FileWatch m_files;
    Panes *m_panes;
    Lockstep m_lockstep;
    KeptPages m_kept;
    RestoredPages m_restored;
    QPointer<ModelPage> m_latest; ///< the page that the user asked for last; it comes to the front once it is read
    QPointer<ModelPage> m_survey;
    bool m_mayClose = false; ///< whether the user has allowed to close the pages
};

/// Returns a text such as "ONNX (*.onnx)" for each format that can be opened.
QStringList formatSummaries();

} // namespace cutaway::desktop
