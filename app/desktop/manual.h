// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace cutaway::desktop {

/// The folder of the manual's pages, which are installed, or in the sources; "": they are nowhere.
QString manualFolder();

/// A window with the manual: its pages, and the one that is read.
class Manual : public QWidget {
    Q_OBJECT

public:
    explicit Manual(QWidget *parent);

    /// "query.md", "query.md#grammar"
    void showPage(const QString &name);
    /// A page that no file has, as Markdown.
    void showText(const QString &title, const QString &markdown);

private:
    void fillPages();
    void follow(const QUrl &page);
    void scrollTo(const QString &anchor);

    QListWidget *m_pages;
    QTextBrowser *m_text;
};

} // namespace cutaway::desktop
