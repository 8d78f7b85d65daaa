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

/// The open files of a window, each in a tab of one of the panes beside each other, or the start page: opens, reloads
/// and closes them, and tells when a file has changed. `settings` names the recent files;
/// sessions lie in a folder beside it.
class Pages : public QWidget {
    Q_OBJECT

public:
    /// Gives each new session the settings of the window.
    using Prepare = std::function<void(views::Session &)>;

    Pages(QSettings &settings, Prepare prepare, QWidget *parent);
    ~Pages() override;

    /// The page in front of the active pane; nullptr while no file is open.
    ModelPage *current() const;
    /// The page that reads a file; if several do, the one in front, or that was asked for last. nullptr if none does.
    ModelPage *opening() const;
    /// The panes. Their pages are opened and closed by this class alone.
    Panes &panes() { return *m_panes; }
    Lockstep &lockstep() { return m_lockstep; }
    KeptPages &kept() { return m_kept; }

    /// Opens a file in a tab of its own, or brings the tab that has it to the front. The file is a model, a saved
    /// session, whose model is opened in the state that it saves, the database of a survey, or what another compiler
    /// wrote down: the address of a step or a sequence, or a log or folder, whose sequences are listed.
    void open(const QString &path);
    /// Opens files in a row, text from elsewhere, or a sequence, likewise.
    void open(const Source &source);
    /// Opens a model and compares it with another one.
    void openTwo(const Source &first, const QString &second);
    /// Opens a model and a run of it that was recorded.
    void openTraced(const Source &model, const QString &trace);
    /// Opens a file as open() does, but in the pane to the right of the active one. A file that is open is shown a
    /// second time.
    void openBeside(const QString &path);
    /// The survey that was opened last, or nullptr.
    ModelPage *survey() const { return m_survey; }
    /// Reads a file anew; all views of it keep their state.
    void reload(ModelPage &page);
    /// Closes a page, but asks first if results of its passes were not saved.
    void close(ModelPage &page);
    /// Closes all pages before the window closes. Returns false if the user has to be asked first; `again` is called if
    /// the pages may be closed.
    bool closeAll(const std::function<void()> &again);

signals:
    /// Another page is in front, or the page in front has another model or none, or the number of pages is another.
    void currentChanged();
    void opened(cutaway::desktop::ModelPage *page);
    /// A trace alone was opened in front, and not reloaded: its events are to be shown.
    void traceOpened();
    void openingFailed(const QString &path, const cutaway::Error &error);
    void surveyShown();
    void browseRequested();
    /// The shown model of a page is to be written; `then` is called if it was.
    void savingRequested(cutaway::desktop::ModelPage *page, const std::function<void()> &then);
    /// The reading of a file begins or ends.
    void workChanged();
    /// A file is being read. `total` 0: unknown.
    void progress(const QString &what, quint64 done, quint64 total);

private:
    void showStart();
    ModelPage &add(const Source &source, Pane &pane);
    void connectTo(ModelPage &page);
    void read(ModelPage &page);
    void readOnce(ModelPage &page);
    void showReason(ModelPage &page, const Error &error);
    void showFailure(ModelPage &page, const Error &error);
    void openWantedTrace(ModelPage &page);
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
    QPointer<ModelPage> m_latest; ///< as the user has asked for it last: comes to the front when it is there
    QPointer<ModelPage> m_survey;
    bool m_mayClose = false; ///< the user was asked
};

/// Returns a text such as "ONNX (*.onnx)" for each format that can be opened.
QStringList formatSummaries();

} // namespace cutaway::desktop
