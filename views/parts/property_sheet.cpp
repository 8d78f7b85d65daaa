// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/parts/property_sheet.h"

#include "views/appearance/fonts.h"
#include "views/appearance/theme.h"
#include "views/parts/elided_label.h"
#include "views/parts/text.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>
#include <utility>

namespace cutaway::views {
namespace {

constexpr int nameColumnWidth = 96;
constexpr int besideWidth = 170; ///< the width of a link and the text after it in a window of 1280 pixels
constexpr int besideGap = 8;

/// A word after a dot in a colour, on a pale tint of the colour. The word has the colour of other texts, so that it can
/// be read.
class Chip : public QWidget {
public:
    Chip(QString text, QColor color, QWidget *parent) : QWidget(parent), m_text(std::move(text)), m_color(color)
    {
        setFont(diagramFont(layout::Line::Style::Detail));
        setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    }
    QSize sizeHint() const override { return {fontMetrics().horizontalAdvance(m_text) + 32, 20}; }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        painter.setRenderHint(QPainter::Antialiasing);
        QColor ground = m_color;
        ground.setAlpha(isDark(palette()) ? 70 : 46);
        painter.setPen(Qt::NoPen);
        painter.setBrush(ground);
        painter.drawRoundedRect(rect(), 10, 10);
        painter.setBrush(m_color);
        painter.drawEllipse(QPointF(11, height() / 2.0), 4, 4);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(rect().adjusted(21, 0, -8, 0), Qt::AlignVCenter | Qt::AlignLeft, m_text);
    }

private:
    QString m_text;
    QColor m_color;
};

QLabel *textLabel(const QString &text, QWidget *parent)
{
    auto *label = new QLabel(text, parent);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

} // namespace

PropertySheet::PropertySheet(QWidget *parent) : QScrollArea(parent)
{
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setMinimumWidth(220);
    setAccessibleName(tr("Properties"));
    connect(verticalScrollBar(), &QScrollBar::rangeChanged, this, [this](int, int largest) {
        if (m_placeToKeep > 0)
            verticalScrollBar()->setValue(m_placeToKeep);
        if (m_placeToKeep <= largest)
            m_placeToKeep = 0;
    });
    connect(verticalScrollBar(), &QScrollBar::actionTriggered, this, [this] { m_placeToKeep = 0; }); // the user scrolls
    clear();
}

void PropertySheet::clear()
{
    // The old page stays visible until the new one has its layout; before that, the rows would overlap.
    setUpdatesEnabled(false);
    QTimer::singleShot(0, this, [this] { setUpdatesEnabled(true); });
    if (QWidget *before = takeWidget())
        before->deleteLater(); // the caller may be a link on the page
    m_page = new QWidget;
    m_page->setMinimumWidth(1); // texts shrink with the sheet, so that nothing is cut off at the right
    m_page->setBackgroundRole(QPalette::Base);
    m_page->setAutoFillBackground(true);
    auto *outer = new QVBoxLayout(m_page);
    outer->setContentsMargins(16, 12, 16, 16);
    outer->setSpacing(0);
    m_column = new QVBoxLayout;
    m_column->setSpacing(4);
    outer->addLayout(m_column);
    outer->addStretch();
    m_grid = nullptr;
    setWidget(m_page);
    m_placeToKeep = 0;
    verticalScrollBar()->setValue(0);
}

void PropertySheet::refill(const std::function<void()> &fill)
{
    const int place = verticalScrollBar()->value();
    fill();
    // The page has its height only after further layouts, which take several turns of the event loop.
    m_placeToKeep = place;
}

void PropertySheet::title(const QString &text, const QString &detail)
{
    auto *label = new ElidedLabel(text, m_page);
    label->setFont(titleFont());
    m_column->addWidget(label);
    if (detail.isEmpty() || detail == text)
        return;
    auto *below = new ElidedLabel(detail, m_page);
    below->setForegroundRole(QPalette::PlaceholderText);
    m_column->addWidget(below);
}

void PropertySheet::chip(const QString &text, QColor color)
{
    m_column->addSpacing(4);
    m_column->addWidget(new Chip(text, color, m_page));
    m_column->addSpacing(4);
}

void PropertySheet::section(const QString &title)
{
    m_grid = nullptr;
    m_column->addSpacing(12);
    auto *label = new QLabel(title, m_page);
    QFont font = titleFont(1);
    label->setFont(font);
    m_column->addWidget(label);
    m_column->addSpacing(2);
}

QGridLayout *PropertySheet::grid()
{
    if (!m_grid) {
        m_grid = new QGridLayout;
        m_grid->setHorizontalSpacing(12);
        m_grid->setVerticalSpacing(2);
        m_grid->setColumnMinimumWidth(0, nameColumnWidth);
        m_grid->setColumnStretch(1, 1);
        m_column->addLayout(m_grid);
    }
    return m_grid;
}

void PropertySheet::addRow(const QString &name, QWidget *value, Qt::Alignment ofName)
{
    QGridLayout *rows = grid();
    const int row = rows->rowCount();
    auto *label = new ElidedLabel(name, m_page);
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setFixedWidth(nameColumnWidth);
    rows->addWidget(label, row, 0, ofName);
    rows->addWidget(value, row, 1);
}

void PropertySheet::row(const QString &name, const QString &value, Look look, const QString &toolTip)
{
    if (look == Look::Number) {
        auto *label = new ElidedLabel(name, m_page);
        label->setForegroundRole(QPalette::PlaceholderText);
        return addNumber(label, value, toolTip);
    }
    if (look == Look::Monospace)
        return addRow(name, wholeText(value, toolTip));
    auto *label = new ElidedLabel(value, m_page);
    label->setToolTipDetail(toolTip);
    addRow(name, label);
}

/// Makes a label that breaks a long shape into lines; without its middle it would read as another shape.
QWidget *PropertySheet::wholeText(const QString &text, const QString &toolTip)
{
    QLabel *label = textLabel(text, m_page);
    label->setFont(monospaceFont());
    label->setWordWrap(true);
    label->setToolTip(toolTipText(toolTip));
    label->setContentsMargins(0, 2, 0, 2);
    return label;
}

/// Adds a row of a number, which is short, so the name gets the rest of the width.
void PropertySheet::addNumber(ElidedLabel *name, const QString &value, const QString &toolTip)
{
    auto *both = new QWidget(m_page);
    auto *row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(12);
    name->setParent(both);
    name->setToolTipDetail(toolTip);
    auto *number = new ElidedLabel(value, both);
    number->setAlignment(Qt::AlignRight);
    number->setToolTipDetail(toolTip);
    number->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Fixed);
    row->addWidget(name, 1);
    row->addWidget(number);
    grid()->addWidget(both, grid()->rowCount(), 0, 1, 2);
}

void PropertySheet::linkedNumber(const QString &name, const QString &value, std::function<void()> action,
                                 const QString &toolTip)
{
    auto *label = new ElidedLabel(name, m_page);
    label->setAction(std::move(action));
    addNumber(label, value, toolTip);
}

void PropertySheet::choice(const QString &name, const QStringList &all, int current, std::function<void(int)> action)
{
    auto *box = new QComboBox(m_page);
    box->setAccessibleName(name);
    box->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    box->addItems(all);
    box->setCurrentIndex(current);
    connect(box, &QComboBox::activated, this, std::move(action));
    addRow(name, box, Qt::AlignVCenter);
    constexpr int aroundBox = 3; // pixels, so that the frame does not touch that of the box above
    grid()->setRowMinimumHeight(grid()->rowCount() - 1, box->sizeHint().height() + 2 * aroundBox);
}

void PropertySheet::link(const QString &name, const QString &value, std::function<void()> action,
                         const QString &toolTip)
{
    link(name, value, std::move(action), toolTip, {});
}

void PropertySheet::link(const QString &name, const QString &value, std::function<void()> action,
                         const QString &toolTip, const QString &after)
{
    auto *label = new ElidedLabel(value, m_page);
    label->setToolTipDetail(toolTip);
    label->setAction(std::move(action));
    if (after.isEmpty())
        return addRow(name, label);
    QWidget *rest = wholeText(after, toolTip);
    rest->setForegroundRole(QPalette::PlaceholderText);
    if (label->sizeHint().width() + besideGap + QFontMetrics(rest->font()).horizontalAdvance(after) > besideWidth) {
        addRow(name, label);
        return addRow({}, rest);
    }
    auto *both = new QWidget(m_page);
    auto *row = new QHBoxLayout(both);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(besideGap);
    label->setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
    row->addWidget(label);
    row->addWidget(rest, 1);
    addRow(name, both);
}

void PropertySheet::paragraph(const QString &text)
{
    m_grid = nullptr;
    QLabel *label = textLabel(text, m_page);
    label->setWordWrap(true);
    m_column->addWidget(label);
}

void PropertySheet::code(const QString &text, const QString &toolTip)
{
    m_grid = nullptr;
    // A separate scroll area, since source lines are not wrapped and may be wider than the sheet.
    auto *area = new QScrollArea(m_page);
    area->setAccessibleName(tr("Text"));
    QLabel *label = textLabel(text, area);
    label->setFont(monospaceFont());
    label->setToolTip(toolTipText(toolTip));
    label->setContentsMargins(8, 6, 8, 6);
    label->setBackgroundRole(QPalette::AlternateBase);
    label->setAutoFillBackground(true);
    area->setWidget(label);
    area->setWidgetResizable(true);
    area->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const bool wide = label->sizeHint().width() > 240;
    area->setFixedHeight(label->sizeHint().height() + (wide ? 10 : 0));
    m_column->addWidget(area);
}

void PropertySheet::muted(const QString &text)
{
    m_grid = nullptr;
    QLabel *label = textLabel(text, m_page);
    label->setWordWrap(true);
    label->setForegroundRole(QPalette::PlaceholderText);
    m_column->addWidget(label);
}

void PropertySheet::button(const QString &text, std::function<void()> action) { addButton(text, std::move(action)); }

void PropertySheet::buttonOnce(const QString &text, std::function<void()> action)
{
    QPushButton *button = addButton(text, std::move(action));
    connect(button, &QPushButton::clicked, button, &QWidget::hide);
}

QPushButton *PropertySheet::addButton(const QString &text, std::function<void()> action)
{
    m_grid = nullptr;
    auto *button = new QPushButton(text, m_page);
    button->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    connect(button, &QPushButton::clicked, this, [action = std::move(action)] { action(); });
    m_column->addWidget(button);
    return button;
}

} // namespace cutaway::views
