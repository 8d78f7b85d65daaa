// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/graph/overlays/heat_legend.h"

#include "views/appearance/heat.h"
#include "views/appearance/theme.h"
#include "views/graph/canvas.h"
#include "views/parts/elided_label.h"
#include "views/parts/text.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <algorithm>

namespace cutaway::views {
namespace {

constexpr int rampWidth = 140, rampHeight = 10;

class Ramp : public QWidget {
public:
    explicit Ramp(QWidget *parent) : QWidget(parent) { setFixedSize(rampWidth, rampHeight); }

    void setScale(const drawing::Scale &scale)
    {
        m_scale = scale;
        update();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        for (int x = 0; x < width(); ++x)
            painter.fillRect(x, 0, 1, height(), toColor(m_scale.colour(x / double(width() - 1), isDark(palette()))));
        painter.setPen(QPen(mutedText(palette()), 1));
        painter.drawRect(0, 0, width() - 1, height() - 1);
    }

private:
    drawing::Scale m_scale;
};

/// A row with the texts of a column, each after a square of its colour, and the number of those without room.
class Kinds : public QWidget {
public:
    explicit Kinds(QWidget *parent) : QWidget(parent) { setFixedHeight(fontMetrics().height()); }

    bool isUseful() const { return !m_kinds.empty(); }

    void setKinds(std::vector<drawing::KindTint> kinds)
    {
        m_kinds = std::move(kinds);
        place();
    }

    void setRoom(int room)
    {
        m_room = room;
        place();
    }

protected:
    void paintEvent(QPaintEvent *) override
    {
        QPainter painter(this);
        for (const Entry &entry : m_entries) {
            if (entry.fill) {
                painter.setPen(QPen(mutedText(palette()), 1));
                painter.setBrush(toColor(*entry.fill));
                painter.drawRect(entry.x, (height() - swatch) / 2, swatch, swatch);
            }
            painter.setPen(palette().color(QPalette::WindowText));
            painter.drawText(QRect(entry.x + (entry.fill ? swatch + gap / 2 : 0), 0, width(), height()),
                             Qt::AlignLeft | Qt::AlignVCenter, entry.text);
        }
    }

private:
    struct Entry {
        QString text;
        std::optional<drawing::Rgb> fill;
        int x;
    };
    static constexpr int swatch = 11, gap = 12, longestText = 120;

    void place()
    {
        m_entries.clear();
        int x = 0;
        for (const drawing::KindTint &kind : m_kinds) {
            const QString text = fontMetrics().elidedText(shown(kind.text), Qt::ElideRight, longestText);
            const int end = x + swatch + gap / 2 + fontMetrics().horizontalAdvance(text);
            const bool isLast = &kind == &m_kinds.back();
            if (end > m_room - (isLast ? 0 : moreRoom())) {
                const auto rest = m_kinds.size() - m_entries.size();
                m_entries.push_back({QObject::tr("%1 more").arg(rest), {}, x});
                x += moreRoom();
                break;
            }
            m_entries.push_back({text, kind.fill, x});
            x = end + gap;
        }
        setFixedWidth(std::max(x - gap, 0) + 1);
        update();
    }

    int moreRoom() const { return gap + fontMetrics().horizontalAdvance(QObject::tr("%1 more").arg(1000)); }

    std::vector<drawing::KindTint> m_kinds;
    std::vector<Entry> m_entries;
    int m_room = 400;
};

/// Returns a note on a measure, or "". It is short, since the legend is in one row with the path of the selection.
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
    HeatLegend(Canvas &canvas, QWidget *parent)
        : QWidget(parent),
          m_canvas(canvas),
          m_note(new ElidedLabel({}, this)),
          m_ramp(new Ramp(this)),
          m_kinds(new Kinds(this))
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
        row->addWidget(m_ramp);
        row->addWidget(m_most);
        row->addWidget(m_kinds);
        connect(&canvas.highlighting(), &Highlighting::tintingChanged, this,
                [this, &canvas] { show(canvas.highlighting().tinting()); });
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

    /// Updates the colours of the texts, which depend on the theme.
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::PaletteChange)
            show(m_canvas.highlighting().tinting());
        QWidget::changeEvent(event);
    }

private:
    /// Hides parts of the legend in a narrow pane: first the note, then the name of the measure, then all of it. The
    /// tool tip still has them.
    void giveWay()
    {
        constexpr int roomForNote = 560, roomForTitle = 440, roomForScale = 300, shortTitle = 60;
        const int room = parentWidget()->width();
        // The name of a column may have any length.
        const int longer = std::max(m_title->sizeHint().width() - shortTitle, 0);
        m_note->setVisible(room >= roomForNote + longer && !m_note->text().isEmpty());
        m_title->setVisible(room >= roomForTitle + longer);
        const bool hasKinds = m_kinds->isUseful();
        m_kinds->setRoom(room / 2);
        m_kinds->setVisible(hasKinds);
        for (QWidget *part : std::initializer_list<QWidget *>{m_least, m_ramp, m_most})
            part->setVisible(!hasKinds);
        setVisible(m_isShown && room >= roomForScale);
    }

    void show(const std::optional<Tinting> &tinting)
    {
        m_isShown = tinting.has_value();
        if (!tinting)
            return hide();
        std::visit([this](const auto &of) { describe(of); }, *tinting);
        setAccessibleName(tr("Legend: %1").arg(m_title->text()));
        setAccessibleDescription(toolTip());
        giveWay();
    }

    void describe(const Heat &heat)
    {
        m_note->setText(noteOf(heat));
        m_title->setText(title(heat.measure));
        m_least->setText("0");
        m_ramp->setScale({});
        const Quantity::Unit unit = unitOf(heat.measure);
        m_most->setText(heat.example.isEmpty() ? numberText(unit, heat.most) : exampleText(unit, heat.most));
        m_kinds->setKinds({});
        setToolTip(title(heat.measure) + ": " + explanation(heat.measure)
                   + (heat.example.isEmpty() ? QString() : tr("\n~ is with %1").arg(heat.example)));
    }

    void describe(const ColumnTints &tints)
    {
        const drawing::DataTints &shownTints = tints.in(isDark(palette()));
        const auto number = [&](double x) { return shown(node_data::shortText(x, shownTints.unit)); };
        const auto &scale = shownTints.scale;
        m_title->setText(columnTitle(tints.column.name));
        const bool hasHatched =
            std::ranges::any_of(shownTints.boxes, [](const auto &tint) { return tint && !tint->fill; });
        m_note->setText(!shownTints.kinds.empty() ? hasHatched ? tr("hatched: several") : QString()
                            : hasHatched ? tr("hatched: NaN")
                            : scale && scale->kind == drawing::Scale::Kind::Logarithmic ? tr("logarithmic scale")
                            : !scale                                                    ? tr("no numbers are shown")
                                                                                        : QString());
        m_least->setText(scale ? number(scale->least) : QString());
        m_ramp->setScale(scale.value_or(drawing::Scale{}));
        m_most->setText(scale ? number(scale->most) : QString());
        m_kinds->setKinds(shownTints.kinds);
        const QString explained = columnExplanation(tints.column.name);
        QStringList lines{explained.isEmpty() ? tr("%1: a column of the node data").arg(m_title->text())
                                              : m_title->text() + ": " + explained};
        for (const drawing::KindTint &kind : shownTints.kinds)
            lines << shown(kind.text);
        setToolTip(lines.join('\n'));
    }

    Canvas &m_canvas;
    bool m_isShown = false; ///< whether boxes are coloured by a measure or a column
    ElidedLabel *m_note;    ///< the note, which is hidden first in a narrow pane
    Ramp *m_ramp;
    Kinds *m_kinds; ///< shown in place of m_ramp if the boxes are coloured by a column of texts
    QLabel *m_title = nullptr, *m_least = nullptr, *m_most = nullptr;
};

} // namespace

QWidget *makeHeatLegend(Canvas &canvas, QWidget *parent) { return new HeatLegend(canvas, parent); }

} // namespace cutaway::views
