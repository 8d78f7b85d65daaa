// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/banner.h"

#include "views/appearance/icon.h"
#include "views/appearance/theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

namespace cutaway::desktop {

Banner::Banner(QWidget *parent) : QWidget(parent), m_text(new QLabel(this)), m_button(new QPushButton(this))
{
    setObjectName("banner");
    m_text->setTextFormat(Qt::PlainText);
    m_text->setWordWrap(true);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto *close = new QToolButton(this);
    close->setIcon(views::icon("close"));
    close->setIconSize({12, 12});
    close->setToolTip(tr("Close this message"));
    close->setAccessibleName(close->toolTip());
    auto *row = new QHBoxLayout(this);
    row->setContentsMargins(16, 6, 8, 6);
    row->setSpacing(12);
    row->addWidget(m_text, 1);
    row->addWidget(m_button);
    row->addWidget(close);
    connect(close, &QToolButton::clicked, this, &QWidget::hide);
    connect(m_button, &QPushButton::clicked, this, [this] {
        hide();
        const auto action = m_action; // a copy: the action may set another message and action
        action();
    });
    hide();
}

void Banner::tell(const QString &text, const QString &actionText, std::function<void()> action)
{
    m_text->setText(text);
    m_button->setText(actionText);
    m_button->setVisible(!actionText.isEmpty());
    m_action = std::move(action);
    show();
}

QString Banner::text() const { return m_text->text(); }

/// Paints a quiet background with a border towards the page below.
void Banner::paintEvent(QPaintEvent *)
{
    const QColor edge = views::warningColor(palette());
    QColor ground = edge;
    ground.setAlphaF(0.12F);
    QPainter painter(this);
    painter.fillRect(rect(), ground);
    painter.fillRect(QRect(0, height() - 1, width(), 1), edge);
}

} // namespace cutaway::desktop
