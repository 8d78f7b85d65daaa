// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/sweep/sweep.h"

#include "core/request/given.h"
#include "views/parts/latest_work.h"
#include "views/parts/row_delegate.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/session.h"
#include "views/sweep/sweep_chart.h"
#include "views/sweep/sweep_model.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QTreeView>
#include <QVBoxLayout>
#include <algorithm>

namespace cutaway::views {
namespace {

class SweepView : public QWidget {
public:
    SweepView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_document(session.document()),
          m_analysing(session.analysing()),
          m_symbols(new QComboBox(this)),
          m_values(new QLineEdit(this)),
          m_measures(new QComboBox(this)),
          m_problem(new QLabel(this)),
          m_bar(new QProgressBar(this)),
          m_chart(new SweepChart(this)),
          m_model(new SweepModel(this)),
          m_content(new WhenSeen(this, [this] { fill(); }))
    {
        auto *split = new QSplitter(Qt::Horizontal, this);
        split->setChildrenCollapsible(false);
        split->addWidget(m_chart);
        split->addWidget(makeTable());
        split->setStretchFactor(0, 1);
        split->setSizes({520, 520});
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTools());
        column->addWidget(split, 1);
        setFocusProxy(m_symbols);
        // Figures are computed again whenever a binding, the device or the state changes.
        connect(&m_analysing, &Analysing::figuresChanged, m_content, &WhenSeen::refresh);
        connect(&m_work, &LatestWork::busyChanged, this, [this] { m_bar->setVisible(m_work.isBusy()); });
    }

private:
    QLayout *makeTools()
    {
        m_symbols->setAccessibleName(tr("Size"));
        m_values->setAccessibleName(tr("Values of the size"));
        m_values->setToolTip(tr("start:end, start:end:step, or start:end:*factor"));
        m_values->setMaximumWidth(160);
        m_measures->setAccessibleName(tr("Figure"));
        for (const Measure measure : sweepMeasures)
            m_measures->addItem(title(measure));
        m_problem->setTextFormat(Qt::PlainText);
        m_problem->setForegroundRole(QPalette::PlaceholderText);
        m_problem->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        m_bar->setMaximumWidth(160);
        m_bar->setTextVisible(false);
        m_bar->setRange(0, 0);
        m_bar->hide();
        connect(m_symbols, &QComboBox::activated, this, [this] {
            proposeValues();
            sweep();
        });
        connect(m_values, &QLineEdit::editingFinished, this, [this] {
            if (m_values->isModified())
                sweep();
            m_values->setModified(false);
        });
        connect(m_measures, &QComboBox::activated, this,
                [this](int index) { m_chart->setMeasure(sweepMeasures[std::size_t(index)]); });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(8, 6, 12, 6);
        row->setSpacing(8);
        for (QWidget *tool : std::initializer_list<QWidget *>{m_symbols, m_values, m_measures})
            row->addWidget(tool);
        row->addWidget(m_problem, 1);
        row->addWidget(m_bar);
        return row;
    }

    QWidget *makeTable()
    {
        auto *table = new QTreeView(this);
        table->setModel(m_model);
        table->setAccessibleName(tr("Costs by size"));
        table->setRootIsDecorated(false);
        table->setUniformRowHeights(true);
        table->setAllColumnsShowFocus(true);
        table->setSelectionMode(QAbstractItemView::ExtendedSelection);
        table->setItemDelegate(new RowDelegate(table));
        table->header()->setSectionResizeMode(QHeaderView::ResizeToContents);
        makeCopyable(*table);
        return table;
    }

    /// Proposes powers of two within the symbol's range.
    void proposeValues()
    {
        constexpr std::int64_t widest = 256;
        for (const ir::Symbol &symbol : m_document.withGiven()->symbols) {
            if (shown(symbol.name) != m_symbols->currentText())
                continue;
            const std::int64_t first = std::max<std::int64_t>(symbol.min.value_or(1), 1);
            const std::int64_t last = std::min(symbol.max.value_or(widest), std::max(first, widest));
            m_values->setText(QStringLiteral("%1:%2:*2").arg(first).arg(last));
            m_values->setModified(false);
        }
    }

    /// Lists the sizes of the function: first the open ones, then those that have a value in Bindings.
    void fill()
    {
        const QString chosen = m_symbols->currentText();
        const symbolic::Bindings &bound = m_document.givenValues().bindings;
        m_symbols->clear();
        for (const bool isBound : {false, true})
            for (const ir::Symbol &symbol : m_document.withGiven()->symbols)
                if (bound.contains(symbol.name) == isBound)
                    m_symbols->addItem(shown(symbol.name), QString::fromStdString(symbol.name));
        m_symbols->setCurrentIndex(std::max(m_symbols->findText(chosen), m_symbols->count() > 0 ? 0 : -1));
        if (m_symbols->currentText() != chosen)
            proposeValues();
        for (QWidget *tool : std::initializer_list<QWidget *>{m_symbols, m_values, m_measures})
            tool->setEnabled(m_symbols->count() > 0);
        sweep();
    }

    void sweep()
    {
        say({});
        if (m_symbols->count() == 0) {
            m_work.cancel();
            return take(nullptr, tr("All shapes are static; nothing to sweep."));
        }
        if (!m_analysing.figures()) { // without figures there are no example values for the other symbols
            m_work.cancel();
            return take(nullptr, tr("Analysing…"));
        }
        const SharedModel model = m_document.withGiven();
        analysis::Given given = m_document.givenValues().withoutTensors();
        const std::string symbol = m_symbols->currentData().toString().toStdString();
        given.bindings.erase(symbol); // the swept symbol must stay open
        const std::string text = symbol + "=" + m_values->text().toStdString();
        const auto variation = request::parseSweep(*model, given.bindings, text);
        if (!variation) {
            m_work.cancel();
            say(shown(variation.error().text()));
            return take(nullptr, tr("Nothing to draw."));
        }
        if (const QString others = bindOthers(given.bindings, variation->symbol); !others.isEmpty())
            say(tr("with %1").arg(others));
        m_work.request([this, model, given, variation = *variation, function = m_document.functionId(),
                        device = m_analysing.device()](const std::stop_token &stop) -> LatestWork::Finish {
            auto swept = std::make_shared<const analysis::Sweep>(
                analysis::sweep(*model, function, given, variation, &device, Task{stop, {}}));
            return [this, swept] { take(swept, {}); };
        });
    }

    void say(const QString &text)
    {
        m_problem->setText(text);
        m_problem->setToolTip(toolTipText(text)); // a narrow window cuts the text off
    }

    /// Adds to `bindings` the example values of the open sizes other than `varied`. Returns these values as text:
    /// "batch = 16, target = 16".
    QString bindOthers(symbolic::Bindings &bindings, const std::string &varied) const
    {
        QStringList names;
        for (const std::string &symbol : m_analysing.figures()->openSymbols())
            if (symbol != varied && !bindings.contains(symbol)) {
                const std::int64_t size = m_analysing.figures()->examples().bindings.at(symbol);
                bindings.emplace(symbol, size);
                names << QStringLiteral("%1 = %2").arg(shown(symbol)).arg(size);
            }
        return names.join(QStringLiteral(", "));
    }

    void take(std::shared_ptr<const analysis::Sweep> sweep, const QString &notice)
    {
        m_model->show(sweep);
        m_chart->show(std::move(sweep), notice);
    }

    Document &m_document;
    Analysing &m_analysing;
    QComboBox *m_symbols;
    QLineEdit *m_values;
    QComboBox *m_measures;
    QLabel *m_problem;
    QProgressBar *m_bar;
    SweepChart *m_chart;
    SweepModel *m_model;
    WhenSeen *m_content;
    LatestWork m_work; ///< declared last, so that it ends before what it uses
};

} // namespace

QWidget *makeSweepView(Session &session, QWidget *parent) { return new SweepView(session, parent); }

} // namespace cutaway::views
