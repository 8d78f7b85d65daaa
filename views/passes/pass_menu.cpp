// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/pass_menu.h"

#include "views/parts/step_text.h"
#include "views/parts/text.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QVBoxLayout>
#include <QWidgetAction>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr QSize listSize{300, 340};

} // namespace

PassMenu::PassMenu(std::function<void(const passes::Pass &)> choose, QWidget *parent)
    : QMenu(tr("Add a pass"), parent),
      m_choose(std::move(choose))
{
    auto *page = new QWidget(this);
    m_line = new QLineEdit(page);
    m_line->setPlaceholderText(tr("Find a pass by its name or what it does"));
    m_line->setAccessibleName(tr("Find a pass"));
    m_line->installEventFilter(this);
    m_list = new QListWidget(page);
    m_list->setAccessibleName(tr("Passes"));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFixedSize(listSize);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(6, 6, 6, 6);
    column->setSpacing(6);
    column->addWidget(m_line);
    column->addWidget(m_list);
    auto *whole = new QWidgetAction(this);
    whole->setText(title());
    whole->setDefaultWidget(page);
    addAction(whole);
    connect(m_line, &QLineEdit::textChanged, this, [this] { filter(); });
    connect(m_list, &QListWidget::itemClicked, this, [this](const QListWidgetItem *item) { take(m_list->row(item)); });
    connect(m_list, &QListWidget::itemActivated, this,
            [this](const QListWidgetItem *item) { take(m_list->row(item)); });
}

void PassMenu::setPasses(std::span<const passes::Pass *const> own, std::span<const passes::Pass *const> ofPlugins)
{
    m_list->clear();
    m_passes.clear();
    add(own);
    if (!ofPlugins.empty()) {
        auto *heading = new QListWidgetItem(tr("From plugins"), m_list);
        heading->setFlags(Qt::NoItemFlags);
        m_passes.push_back(nullptr);
        add(ofPlugins);
    }
    filter();
}

void PassMenu::add(std::span<const passes::Pass *const> passes)
{
    std::vector<const passes::Pass *> sorted(passes.begin(), passes.end());
    std::ranges::sort(sorted, {}, &passes::Pass::name);
    for (const passes::Pass *pass : sorted) {
        auto *item = new QListWidgetItem(shown(pass->name), m_list);
        item->setToolTip(toolTipText(passText(*pass)));
        m_passes.push_back(pass);
    }
}

/// Shows the passes whose name or description has each typed word. Headings are shown while no word is typed.
void PassMenu::filter()
{
    const QStringList words = m_line->text().split(' ', Qt::SkipEmptyParts);
    int first = -1;
    for (int row = 0; row < m_list->count(); ++row) {
        const passes::Pass *pass = m_passes[std::size_t(row)];
        const QString text = pass ? shown(pass->name) + ' ' + passText(*pass) : QString();
        const bool isWanted =
            std::ranges::all_of(words, [&](const QString &word) { return text.contains(word, Qt::CaseInsensitive); });
        m_list->item(row)->setHidden(!isWanted);
        if (isWanted && pass
            && (first < 0
                || (shown(pass->name).startsWith(m_line->text(), Qt::CaseInsensitive)
                    && !m_list->item(first)->text().startsWith(m_line->text(), Qt::CaseInsensitive))))
            first = row;
    }
    m_list->setCurrentRow(first);
}

void PassMenu::step(int by)
{
    for (int row = m_list->currentRow() + by; row >= 0 && row < m_list->count(); row += by)
        if (m_passes[std::size_t(row)] && !m_list->item(row)->isHidden())
            return m_list->setCurrentRow(row);
}

void PassMenu::take(int row)
{
    if (row < 0 || !m_passes[std::size_t(row)])
        return;
    const passes::Pass &pass = *m_passes[std::size_t(row)];
    close();
    m_choose(pass);
}

void PassMenu::showEvent(QShowEvent *event)
{
    QMenu::showEvent(event);
    m_line->clear();
    m_line->setFocus();
}

bool PassMenu::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_line || event->type() != QEvent::KeyPress)
        return QMenu::eventFilter(watched, event);
    switch (static_cast<QKeyEvent *>(event)->key()) {
    case Qt::Key_Down:
        step(1);
        return true;
    case Qt::Key_Up:
        step(-1);
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        take(m_list->currentRow());
        return true;
    default:
        return false;
    }
}

} // namespace cutaway::views
