// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QListWidget;
class QTextBrowser;
class QUrl;

namespace cutaway::desktop {

/// Returns the folder of the manual's pages, installed or in the sources; "" if there is none.
QString manualFolder();

/// A window with the manual: the list of its pages, and the page that is shown.
class Manual : public QWidget {
    Q_OBJECT

public:
    explicit Manual(QWidget *parent);

    /// Shows a page, and scrolls to the heading that the name may end with: "query.md", "query.md#grammar".
    void showPage(const QString &name);
    /// Shows a text in Markdown that is not a page of the manual.
    void showText(const QString &title, const QString &markdown);

private:
    void fillPages();
    void follow(const QUrl &page);
    void scrollTo(const QString &anchor);

    QListWidget *m_pages;
    QTextBrowser *m_text;
};

} // namespace cutaway::desktop
