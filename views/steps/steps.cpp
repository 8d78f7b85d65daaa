// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/steps/steps.h"

#include "views/appearance/icon.h"
#include "views/parts/elided_label.h"
#include "views/parts/step_text.h"
#include "views/parts/text.h"
#include "views/session/session.h"
#include "views/session/stepping.h"

#include <QButtonGroup>
#include <QHBoxLayout>
#include <QResizeEvent>
#include <QSlider>
#include <QToolButton>

namespace cutaway::views {
namespace {

class StepBar : public QWidget {
public:
    StepBar(Session &session, QWidget *parent)
        : QWidget(parent),
          m_stepping(session.stepping()),
          m_rows(new QBoxLayout(QBoxLayout::LeftToRight, this)),
          m_slider(new QSlider(Qt::Horizontal, this)),
          m_what(new ElidedLabel({}, this)),
          m_views(new QButtonGroup(this))
    {
        m_rows->setContentsMargins(12, 4, 8, 4);
        m_rows->setSpacing(6);
        auto *row = new QHBoxLayout;
        m_lower = new QBoxLayout(QBoxLayout::LeftToRight);
        m_choices = new QHBoxLayout;
        m_rest = new QHBoxLayout;
        m_rows->addLayout(row, 1);
        m_rows->addLayout(m_lower);
        m_lower->addLayout(m_choices);
        m_lower->addLayout(m_rest, 1);
        row->addWidget(button(QStringLiteral("◀"), tr("Previous step (Alt+Left)"), [this] { m_stepping.previous(); }));
        m_slider->setMinimumWidth(60);
        m_slider->setMaximumWidth(200);
        m_slider->setPageStep(1);
        m_slider->setTickPosition(QSlider::TicksBelow);
        m_slider->setTickInterval(1);
        m_slider->setAccessibleName(tr("Step"));
        row->addWidget(m_slider, 1);
        row->addWidget(button(QStringLiteral("▶"), tr("Next step (Alt+Right)"), [this] { m_stepping.next(); }));
        row->addSpacing(8);
        row->addWidget(m_what, 2);
        addViews(m_choices);
        m_choices->addStretch();
        m_rest->addWidget(focusButton());
        m_rest->addStretch();
        m_close = button({}, tr("Back to the input file"), [this] { m_stepping.clear(); });
        m_close->setIcon(icon("close"));
        m_close->setIconSize({12, 12});
        m_rest->addWidget(m_close);
        connect(m_slider, &QSlider::valueChanged, this, [this](int at) { m_stepping.goTo(std::size_t(at)); });
        for (const auto change : {&Stepping::stepsChanged, &Stepping::positionChanged, &Stepping::viewChanged})
            connect(&m_stepping, change, this, [this] { follow(); });
        connect(&m_stepping, &Stepping::stepsChanged, this, [this] { measure(); });
        follow();
        measure();
    }

    /// Returns a small width, so that two panes keep theirs; parts without room move to a second row.
    QSize minimumSizeHint() const override
    {
        constexpr int least = 240;
        return {least, QWidget::minimumSizeHint().height()};
    }

protected:
    void resizeEvent(QResizeEvent *event) override
    {
        QWidget::resizeEvent(event);
        arrange();
    }

private:
    /// Places the choices below the slider if the longest text on a step has no room beside them, in two rows if need
    /// be. The arrangement does not depend on the shown step, unless its text is longer than expected.
    void arrange()
    {
        constexpr int slider = 330; // the width of the slider with its buttons
        const int views = m_choices->sizeHint().width() + m_rest->sizeHint().width();
        const bool isWide = width() >= slider + std::max(m_widestText, m_what->sizeHint().width()) + views;
        m_rows->setDirection(isWide ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
        m_lower->setDirection(isWide || width() >= views + 40 ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom);
    }

    /// Measures the longest text on a step: the longest name of a pass, with changes of up to 999 nodes.
    void measure()
    {
        if (!m_stepping.history())
            return;
        const QFontMetrics metrics(m_what->font());
        int widestName = 0;
        for (const passes::Step &step : m_stepping.history()->steps())
            widestName = std::max(widestName, metrics.horizontalAdvance(stepName(step)));
        for (const passes::Recorded &step : m_stepping.history()->unread())
            widestName = std::max(widestName, metrics.horizontalAdvance(QString::fromStdString(step.name)));
        const std::size_t total = m_stepping.total();
        const QString place = tr("%1 of %2").arg(total).arg(total) + tr(", change %1 of %2").arg(total).arg(total);
        const QString around = QStringLiteral("%1   %2   ").arg(place, QStringLiteral("−999 +999 ~999"));
        m_widestText = widestName + metrics.horizontalAdvance(around);
        arrange();
    }

    QToolButton *button(const QString &text, const QString &toolTip, std::function<void()> act)
    {
        auto *made = new QToolButton(this);
        made->setText(text);
        made->setToolTip(toolTip);
        made->setAccessibleName(toolTip);
        made->setAutoRaise(true);
        connect(made, &QToolButton::clicked, this, [act = std::move(act)] { act(); });
        return made;
    }

    void addViews(QHBoxLayout *row)
    {
        using View = StepDisplay::View;
        const std::tuple<View, QString, QString> views[] = {
            {View::Before, tr("Before"), tr("The graph before the step")},
            {View::Both, tr("Both"), tr("Added, removed and changed nodes in one graph")},
            {View::After, tr("After"), tr("The graph after the step")},
            {View::SideBySide, tr("Side by side"), tr("Before and after, with nodes at the same positions")}};
        for (const auto &[view, text, toolTip] : views) {
            auto *choice = button(text, toolTip, [this, view = view] { m_stepping.display().setView(view); });
            choice->setCheckable(true);
            m_views->addButton(choice, int(view));
            row->addWidget(choice);
        }
    }

    QWidget *focusButton()
    {
        m_focus = button(tr("Only changes"), tr("Open the modules with changes and fade the rest"),
                         [this] { m_stepping.display().setFocusesChanges(m_focus->isChecked()); });
        m_focus->setCheckable(true);
        return m_focus;
    }

    void follow()
    {
        setVisible(m_stepping.history() != nullptr);
        if (!m_stepping.history())
            return;
        const QSignalBlocker quiet(m_slider);
        m_slider->setRange(0, int(m_stepping.total()));
        m_slider->setValue(int(m_stepping.position()));
        m_views->button(int(m_stepping.display().view()))->setChecked(true);
        m_focus->setChecked(m_stepping.display().focusesChanges());
        // Recorded steps are what the page shows, so they cannot be closed.
        m_close->setVisible(!m_stepping.isRecorded());
        m_what->setText(whatText());
        m_what->setToolTipDetail(m_stepping.isRecorded() && m_stepping.step() ? shown(m_stepping.step()->description())
                                                                              : QString());
        arrange();
    }

    /// Returns the text on the shown step: "7 of 14, change 3 of 3   fold-constants   −2". The last change may be
    /// followed by steps that change nothing, so both are counted.
    QString whatText() const
    {
        if (m_stepping.isAwaiting())
            return tr("Reading the steps …");
        const passes::Step *step = m_stepping.step();
        if (!step)
            return shown(m_stepping.history()->startTitle());
        const std::size_t position = m_stepping.position();
        std::size_t changes = 0, until = 0;
        for (std::size_t i = 0; i < m_stepping.count(); ++i) {
            changes += m_stepping.changes().isChange(i) ? 1 : 0;
            until += m_stepping.changes().isChange(i) && i < position ? 1 : 0;
        }
        QString place = tr("%1 of %2").arg(position).arg(m_stepping.total());
        if (m_stepping.changes().isChange(position - 1) && changes < m_stepping.count()
            && m_stepping.count() == m_stepping.total())
            place += tr(", change %1 of %2").arg(until).arg(changes);
        return QStringLiteral("%1   %2   %3")
            .arg(place, stepName(*step),
                 stepDelta(m_stepping.changes().of(position - 1), m_stepping.changes().isChange(position - 1),
                           m_stepping.changes().removedWeights(position - 1)));
    }

    Stepping &m_stepping;
    QBoxLayout *m_rows, *m_lower = nullptr;
    QHBoxLayout *m_choices = nullptr, *m_rest = nullptr;
    QSlider *m_slider;
    ElidedLabel *m_what;
    QButtonGroup *m_views;
    QToolButton *m_focus = nullptr, *m_close = nullptr;
    int m_widestText = 0; ///< the width in pixels of the longest text on a step
};

} // namespace

QWidget *makeStepBar(Session &session, QWidget *parent) { return new StepBar(session, parent); }

} // namespace cutaway::views
