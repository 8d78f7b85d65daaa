// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/bindings/given_row.h"

#include "core/base/checked.h"
#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/elided_label.h"

#include <QFileDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int nameWidth = 64, editWidth = 64; // narrow, so that a note has room in a dock of 240 pixels

} // namespace

GivenRow::GivenRow(Subject subject, Check check, QWidget *parent)
    : QWidget(parent),
      m_subject(std::move(subject)),
      m_check(std::move(check)),
      m_edit(new QLineEdit(this)),
      m_note(new ElidedLabel(m_subject.note, this)),
      m_problem(new QLabel(this))
{
    auto *name = new ElidedLabel(m_subject.name, this);
    name->setFont(monospaceFont());
    name->setFixedWidth(nameWidth);
    m_edit->setFont(monospaceFont());
    m_edit->setPlaceholderText(m_subject.wanted);
    setText({});
    m_edit->setAccessibleName(m_subject.name);
    m_edit->installEventFilter(this);
    m_note->setForegroundRole(QPalette::PlaceholderText);
    auto *line = new QHBoxLayout;
    line->setSpacing(8);
    line->addWidget(name);
    line->addWidget(m_edit, m_subject.isSize ? 0 : 1);
    if (m_subject.isSize) {
        m_edit->setFixedWidth(editWidth);
        line->addWidget(m_note, 1);
    } else {
        m_note->hide();
    }
    if (m_subject.takesFile)
        line->addWidget(fileButton());
    m_problem->setWordWrap(true);
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setContentsMargins(nameWidth + 8, 0, 0, 0);
    m_problem->hide();
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2);
    column->addLayout(line);
    column->addWidget(m_problem);
    connect(m_edit, &QLineEdit::textChanged, this, [this] {
        this->check();
        emit edited();
    });
}

QString GivenRow::text() const { return m_edit->text().trimmed(); }
void GivenRow::setText(const QString &text)
{
    m_edit->setText(text.isEmpty() && m_subject.isFixed ? m_subject.wanted : text);
    if (m_subject.takesFile)
        m_edit->setCursorPosition(0); // so that a long text shows its beginning
}

void GivenRow::setNote(const QString &note) { m_note->setText(note); }

bool GivenRow::isGiven() const { return !text().isEmpty() && !isOfFile() && m_problem->text().isEmpty(); }

bool GivenRow::isOfFile() const { return m_subject.isFixed && text() == m_subject.wanted; }

QToolButton *GivenRow::fileButton()
{
    auto *button = new QToolButton(this);
    button->setText(QStringLiteral("…"));
    button->setToolTip(tr("Choose a file with the elements of %1").arg(m_subject.name));
    button->setAccessibleName(tr("File for %1").arg(m_subject.name));
    connect(button, &QToolButton::clicked, this, [this] {
        const QString path =
            QFileDialog::getOpenFileName(window(), tr("Choose a file with the elements of %1").arg(m_subject.name), {},
                                         tr("Tensors (*.npy *.pt *.json)"));
        if (!path.isEmpty())
            setText('@' + path);
    });
    return button;
}

void GivenRow::check()
{
    const QString problem = text().isEmpty() || isOfFile() ? QString() : m_check(text());
    QPalette colors = palette();
    colors.setColor(QPalette::WindowText, errorColor(colors));
    m_problem->setPalette(colors);
    m_problem->setText(problem);
    m_problem->setVisible(!problem.isEmpty());
}

void GivenRow::step(std::int64_t by)
{
    bool isNumber = false;
    const qlonglong now = text().toLongLong(&isNumber);
    std::int64_t next = isNumber ? checkedAdd<std::int64_t>(now, by).value_or(now)
                                 : m_subject.example.value_or(m_subject.lowest.value_or(1));
    next = std::max(next, m_subject.lowest.value_or(0));
    if (m_subject.highest)
        next = std::min(next, *m_subject.highest);
    setText(QString::number(next));
}

bool GivenRow::eventFilter(QObject *watched, QEvent *event)
{
    if (event->type() != QEvent::KeyPress || !m_subject.isSize)
        return QWidget::eventFilter(watched, event);
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key == Qt::Key_Up || key == Qt::Key_Down)
        step(key == Qt::Key_Up ? 1 : -1);
    return key == Qt::Key_Up || key == Qt::Key_Down;
}

} // namespace cutaway::views
