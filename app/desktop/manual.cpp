// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/manual.h"

#include <QAction>
#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QHBoxLayout>
#include <QListWidget>
#include <QSplitter>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextDocument>
#include <QTimer>
#include <QToolButton>
#include <QUrl>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::desktop {
namespace {

constexpr QSize firstSize{1000, 760};
constexpr int pagesWidth = 220;

/// The pages of the manual, in the order of its index.
constexpr const char *pageNames[] = {"index.md",   "first-steps.md", "reading.md",      "costs.md",   "query.md",
                                     "passes.md",  "patterns.md",    "steps.md",        "diff.md",    "lint.md",
                                     "running.md", "survey.md",      "ci.md",           "cluster.md", "fx-uses.md",
                                     "install.md", "formats.md",     "command-line.md", "python.md",  "plugins.md",
                                     "figures.md", "ir-json.md",     "glossary.md",     "peers.md",   "changelog.md"};

/// Reads a page without the comments at its top, which are only for readers of the file.
QByteArray readPage(const QString &path)
{
    QFile file(path);
    QByteArray text = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
    while (text.startsWith("<!--"))
        text = text.sliced(std::max<qsizetype>(text.indexOf('\n') + 1, 4));
    return text;
}

/// Returns the first heading of a page; "" if it has none.
QString titleOf(const QByteArray &page)
{
    const qsizetype at = page.indexOf("# ");
    const qsizetype end = page.indexOf('\n', std::max<qsizetype>(at, 0));
    return at < 0 ? QString() : QString::fromUtf8(page.sliced(at + 2, std::max<qsizetype>(end - at - 2, 0)));
}

class Browser : public QTextBrowser {
public:
    using QTextBrowser::QTextBrowser;

    QVariant loadResource(int type, const QUrl &name) override
    {
        if (type == QTextDocument::MarkdownResource)
            return QString::fromUtf8(readPage(name.toLocalFile()));
        return QTextBrowser::loadResource(type, name);
    }
};

/// Returns the anchor of a heading: "numbers-and-units" for "Numbers and units".
QString anchorOf(const QString &heading)
{
    QString anchor;
    for (const QChar c : heading.toLower())
        if (c.isLetterOrNumber() || c == '-' || c == '_')
            anchor += c;
        else if (c == ' ')
            anchor += '-';
    return anchor;
}

} // namespace

QString manualFolder()
{
    QDir folder(QCoreApplication::applicationDirPath());
    const QString installed = folder.filePath("../share/doc/cutaway/manual");
    if (QFile::exists(installed + "/index.md"))
        return QDir(installed).canonicalPath();
    constexpr int deepest = 6; // enough to get from a test's program in a build folder up to the sources
    for (int i = 0; i < deepest && folder.cdUp(); ++i)
        if (QFile::exists(folder.filePath("docs/index.md")))
            return folder.filePath("docs");
    return {};
}

Manual::Manual(QWidget *parent) : QWidget(parent, Qt::Window), m_pages(new QListWidget(this)), m_text(new Browser(this))
{
    setWindowTitle(tr("Manual"));
    resize(firstSize);
    m_pages->setAccessibleName(tr("Pages"));
    m_text->setAccessibleName(tr("Page"));
    m_text->setOpenExternalLinks(true);
    m_text->document()->setDocumentMargin(20);
    auto *tools = new QHBoxLayout;
    tools->setContentsMargins(8, 6, 8, 6);
    const auto addTool = [&](const QString &text, const QString &toolTip, auto act, auto available) {
        auto *button = new QToolButton(this);
        button->setText(text);
        button->setToolTip(toolTip);
        button->setAccessibleName(toolTip);
        button->setEnabled(false);
        button->setFocusPolicy(Qt::TabFocus);
        connect(button, &QToolButton::clicked, m_text, act);
        connect(m_text, available, button, &QWidget::setEnabled);
        tools->addWidget(button);
    };
    addTool(QStringLiteral("◀"), tr("Back"), &QTextBrowser::backward, &QTextBrowser::backwardAvailable);
    addTool(QStringLiteral("▶"), tr("Forward"), &QTextBrowser::forward, &QTextBrowser::forwardAvailable);
    tools->addStretch();
    auto *split = new QSplitter(this);
    split->addWidget(m_pages);
    split->addWidget(m_text);
    split->setStretchFactor(1, 1);
    split->setSizes({pagesWidth, firstSize.width() - pagesWidth});
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(tools);
    column->addWidget(split, 1);
    auto *close = new QAction(this);
    close->setShortcut(Qt::Key_Escape);
    addAction(close);
    connect(close, &QAction::triggered, this, &QWidget::close);
    fillPages();
    connect(m_pages, &QListWidget::itemClicked, this,
            [this](const QListWidgetItem *item) { showPage(item->data(Qt::UserRole).toString()); });
    connect(m_pages, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { showPage(item->data(Qt::UserRole).toString()); });
    connect(m_text, &QTextBrowser::sourceChanged, this, &Manual::follow);
}

void Manual::fillPages()
{
    const QDir folder(manualFolder());
    for (const char *name : pageNames)
        if (const QString title = titleOf(readPage(folder.filePath(name))); !title.isEmpty()) {
            auto *item = new QListWidgetItem(title, m_pages);
            item->setData(Qt::UserRole, QString::fromLatin1(name));
        }
}

void Manual::showPage(const QString &name)
{
    const QString folder = manualFolder();
    if (folder.isEmpty())
        return showText(tr("Manual"), tr("The manual is not installed."));
    QUrl page = QUrl::fromLocalFile(folder + '/' + name.section('#', 0, 0));
    page.setFragment(name.section('#', 1));
    m_text->setSource(page, QTextDocument::MarkdownResource);
}

void Manual::showText(const QString &title, const QString &markdown)
{
    m_text->setSource({}); // without a source, the same page is read again when it is asked for later
    m_pages->setCurrentRow(-1);
    setWindowTitle(title);
    m_text->setMarkdown(markdown);
}

/// Selects a page in the list, and scrolls to the heading that the link names.
void Manual::follow(const QUrl &page)
{
    setWindowTitle(tr("Manual"));
    for (int row = 0; row < m_pages->count(); ++row)
        if (m_pages->item(row)->data(Qt::UserRole).toString() == page.fileName())
            m_pages->setCurrentRow(row);
    if (page.hasFragment()) // scrolling waits until the page is laid out
        QTimer::singleShot(0, this, [this, anchor = page.fragment()] { scrollTo(anchor); });
}

void Manual::scrollTo(const QString &anchor)
{
    for (QTextBlock block = m_text->document()->begin(); block.isValid(); block = block.next())
        if (block.blockFormat().headingLevel() > 0 && anchorOf(block.text()) == anchor) {
            // The cursor first goes to the end of the text, so that moving it back brings the heading to the top.
            m_text->moveCursor(QTextCursor::End);
            m_text->setTextCursor(QTextCursor(block));
            return m_text->ensureCursorVisible();
        }
}

} // namespace cutaway::desktop
