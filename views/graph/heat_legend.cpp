// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/heat_legend.h"

#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/elided_label.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>

namespace cutaway::views {
namespace {

constexpr int rampWidth = 140, rampHeight = 10;

class Ramp : public QWidget {
public:
    explicit Ramp(QWidget *parent) : QWidget(parent) { setFixedSize(rampWidth, rampHeight); }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        for (int x = 0; x < width(); ++x)
            painter.fillRect(x, 0, 1, height(), heatColor(x / double(width() - 1), isDark(palette())));
        painter.setPen(QPen(mutedText(palette()), 1));
        painter.drawRect(0, 0, width() - 1, height() - 1);
    }
};

/// Short, since the row takes its width from the graph.
QString noteOf(const Heat &heat)
{
    if (heat.measure == Measure::Measured)
        return heat.someUnknown ? QObject::tr("hatched: not timed") : QString();
    return heat.someUnknown       ? QObject::tr("hatched: unknown")
        : !heat.example.isEmpty() ? QObject::tr("~ at example sizes")
                                  : QString();
}

class HeatLegend : public QWidget {
public:
    HeatLegend(Canvas &canvas, QWidget *parent) : QWidget(parent), m_note(new ElidedLabel({}, this))
    {
        auto *row = new QHBoxLayout(this);
        row->setContentsMargins(8, 0, 16, 0);
        row->setSpacing(8);
        for (QLabel **label : {&m_title, &m_least, &m_most}) {
            *label = new QLabel(this);
            (*label)->setForegroundRole(label == &m_title ? QPalette::WindowText : QPalette::PlaceholderText);
        }
        m_note->setForegroundRole(QPalette::PlaceholderText);
        m_note->setAlignment(Qt::AlignRight);
        m_least->setText("0");
        row->addWidget(m_note);
        row->addWidget(m_title);
        row->addWidget(m_least);
        row->addWidget(new Ramp(this));
        row->addWidget(m_most);
        connect(&canvas, &Canvas::heatChanged, this, [this, &canvas] { show(canvas.heat()); });
        parent->installEventFilter(this);
        hide();
    }

protected:
    bool eventFilter(QObject *watched, QEvent *event) override
    {
        if (event->type() == QEvent::Resize)
            giveWay();
        return QWidget::eventFilter(watched, event);
    }

private:
    /// In a narrow pane the note goes first, then the name of the figure, then all of it: the tool tip says them.
    void giveWay()
    {
        constexpr int roomForNote = 560, roomForTitle = 440, roomForScale = 300;
        const int room = parentWidget()->width();
        m_note->setVisible(room >= roomForNote && !m_note->text().isEmpty());
        m_title->setVisible(room >= roomForTitle);
        setVisible(m_isShown && room >= roomForScale);
    }

    void show(const std::optional<Heat> &heat)
    {
        m_isShown = heat.has_value();
        if (!heat)
            return hide();
        m_note->setText(noteOf(*heat));
        m_title->setText(title(heat->measure));
        m_most->setText((heat->example.isEmpty() ? QString() : QStringLiteral("~"))
                        + numberText(unitOf(heat->measure), heat->most));
        giveWay();
        setToolTip(title(heat->measure) + ": " + explanation(heat->measure)
                   + (heat->example.isEmpty() ? QString() : tr("\n~ is with %1").arg(heat->example)));
    }

    bool m_isShown = false; ///< if there is room
    ElidedLabel *m_note;    ///< which the graph may take the room of
    QLabel *m_title = nullptr, *m_least = nullptr, *m_most = nullptr;
};

} // namespace

QWidget *makeHeatLegend(Canvas &canvas, QWidget *parent) { return new HeatLegend(canvas, parent); }

} // namespace cutaway::views
