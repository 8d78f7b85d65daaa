// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/passes/passes.h"

#include "core/base/mapped_file.h"
#include "core/base/result.h"
#include "core/base/whole_file.h"
#include "core/ir/scope_tree.h"
#include "core/passes/patterns/pattern_text.h"
#include "views/appearance/theme.h"
#include "views/parts/clear_button.h"
#include "views/parts/row_delegate.h"
#include "views/parts/step_text.h"
#include "views/parts/table_copy.h"
#include "views/parts/text.h"
#include "views/parts/when_seen.h"
#include "views/passes/options_form.h"
#include "views/passes/pass_menu.h"
#include "views/passes/pipeline_model.h"
#include "views/passes/scope_choice.h"
#include "views/passes/step_model.h"
#include "views/passes/step_patterns.h"
#include "views/passes/totals_chart.h"
#include "views/session/document.h"
#include "views/session/navigation.h"
#include "views/session/running.h"
#include "views/session/session.h"

#include <QActionGroup>
#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>
#include <array>

namespace cutaway::views {
namespace {

Result<passes::Pipeline> readPipeline(const QString &path, std::span<const passes::Pass *const> others)
{
    CUTAWAY_TRY(const auto file, MappedFile::open(path.toStdString()));
    const auto bytes = file.bytes();
    return passes::parsePipeline({reinterpret_cast<const char *>(bytes.data()), bytes.size()}, others);
}

/// The largest difference of results that rounding may explain, for numbers around one.
constexpr double goodEnough = 1e-4;

class PassesView : public QWidget {
public:
    PassesView(Session &session, QWidget *parent)
        : QWidget(parent),
          m_session(session),
          m_stepping(session.stepping()),
          m_pipeline(new PipelineModel(m_stepping, this)),
          m_steps(new StepModel(m_stepping, this)),
          m_passList(new QTreeView(this)),
          m_stepList(new QTreeView(this)),
          m_run(new QPushButton(this)),
          m_recorded(new QLabel(this)),
          m_did(new QLabel(this)),
          m_problem(new QLabel(this))
    {
        setAutoFillBackground(true);
        setBackgroundRole(QPalette::Base);
        m_options = new OptionsForm([this](const passes::Settings &settings) { setSettings(settings); }, this);
        auto *parts = new QSplitter(Qt::Vertical, this);
        parts->setChildrenCollapsible(false);
        parts->addWidget(ofPipeline(upperPart()));
        parts->addWidget(lowerPart());
        parts->setStretchFactor(0, 1);
        parts->setStretchFactor(1, 1);
        auto *whatItDid = new WhenSeen(this, [this] { tellPatterns(); });
        auto *column = new QVBoxLayout(this);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        column->addLayout(makeTools());
        column->addWidget(parts, 1);
        setFocusProxy(m_passList);
        for (const auto change : {&Stepping::runningChanged, &Stepping::stepsChanged})
            connect(&m_stepping, change, this, [this] { follow(); });
        connect(&m_stepping.chosen(), &ChosenPasses::pipelineChanged, this, [this] { follow(); });
        for (const auto change : {&Stepping::stepsChanged, &Stepping::positionChanged, &Stepping::viewChanged})
            connect(&m_stepping, change, whatItDid, &WhenSeen::refresh);
        connect(&m_steps->patterns(), &StepPatterns::found, whatItDid, &WhenSeen::refresh);
        connect(&m_stepping, &Stepping::stepsChanged, this, [this] { tellFailure(); });
        connect(&m_stepping, &Stepping::positionChanged, this, [this] { followPosition(); });
        connect(&m_stepping, &Stepping::message, this, [this](const QString &text) { tell(text); });
        follow();
    }

private:
    QToolButton *tool(const QString &text, const QString &toolTip, std::function<void()> act)
    {
        auto *made = new QToolButton(this);
        made->setText(text);
        made->setToolTip(toolTip);
        made->setAccessibleName(toolTip);
        made->setAutoRaise(true);
        if (act)
            connect(made, &QToolButton::clicked, this, [act = std::move(act)] { act(); });
        return made;
    }

    QLayout *makeTools()
    {
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 8, 8, 6);
        row->setSpacing(2);
        connect(m_run, &QPushButton::clicked, this,
                [this] { m_stepping.isRunning() ? m_stepping.stop() : m_stepping.run(); });
        m_recorded->setToolTip(toolTipText(tr(
            "These steps were recorded by another program. To run passes on one of the graphs, open it as a model.")));
        row->addWidget(ofPipeline(m_run));
        row->addWidget(m_recorded);
        row->addStretch();
        auto *add = tool(tr("Add ▾"), tr("Add a pass after the selected one"), {});
        add->setPopupMode(QToolButton::InstantPopup);
        add->setMenu(makePassMenu());
        row->addWidget(ofPipeline(add));
        row->addWidget(ofPipeline(tool(QStringLiteral("↑"), tr("Move up"), [this] { move(-1); })));
        row->addWidget(ofPipeline(tool(QStringLiteral("↓"), tr("Move down"), [this] { move(1); })));
        row->addWidget(ofPipeline(tool(QStringLiteral("✕"), tr("Remove the pass"), [this] {
            if (const int at = m_passList->currentIndex().row(); at >= 0)
                m_pipeline->remove(at);
        })));
        auto *more = tool(QStringLiteral("⋯"), tr("More"), {});
        more->setPopupMode(QToolButton::InstantPopup);
        more->setMenu(makeMoreMenu());
        row->addWidget(more);
        return row;
    }

    QMenu *makePassMenu()
    {
        auto *menu = new PassMenu(
            [this](const passes::Pass &pass) {
                const int at = m_passList->currentIndex().isValid() ? m_passList->currentIndex().row() + 1
                                                                    : m_pipeline->rowCount();
                m_pipeline->add(pass, at);
                m_passList->setCurrentIndex(m_pipeline->index(at, 0));
            },
            this);
        const auto fill = [this, menu] { menu->setPasses(passes::passes(), m_stepping.chosen().otherPasses()); };
        connect(&m_stepping.chosen(), &ChosenPasses::otherPassesChanged, menu, fill);
        fill();
        return menu;
    }

    QMenu *makeMoreMenu()
    {
        auto *menu = new QMenu(tr("More"), this);
        m_repeat = menu->addAction(tr("Repeat until nothing changes"), this, [this](bool on) {
            passes::Pipeline pipeline = m_stepping.chosen().pipeline();
            pipeline.iterations = on ? passes::maxIterations : 1;
            m_stepping.chosen().setPipeline(std::move(pipeline));
        });
        m_repeat->setCheckable(true);
        QAction *hold = menu->addAction(tr("Keep node positions across steps"), this,
                                        [this](bool on) { m_stepping.display().setHoldsPlaces(on); });
        hold->setCheckable(true);
        hold->setChecked(m_stepping.display().holdsPlaces());
        connect(&m_stepping, &Stepping::viewChanged, hold,
                [this, hold] { hold->setChecked(m_stepping.display().holdsPlaces()); });
        QAction *unchanged = menu->addAction(tr("Hide steps that changed nothing"), this,
                                             [this](bool on) { m_stepping.display().setSkipsUnchanged(on); });
        unchanged->setCheckable(true);
        unchanged->setChecked(m_stepping.display().skipsUnchanged());
        addNumberChecks(*menu);
        menu->addAction(tr("Find first step that changes results"), this, [this] { m_stepping.bisect(goodEnough); });
        const qsizetype before = menu->actions().size();
        menu->addAction(tr("Replace all occurrences of the selection…"), this, [this] { replaceLikeSelection(); });
        menu->addSeparator();
        menu->addAction(tr("Default pipeline"), this,
                        [this] { m_stepping.chosen().setPipeline(passes::defaultPipeline()); });
        menu->addAction(tr("Optimizing pipeline"), this,
                        [this] { m_stepping.chosen().setPipeline(passes::optimizingPipeline()); });
        menu->addAction(tr("Open pipeline…"), this, [this] { openPipeline(); });
        menu->addAction(tr("Save pipeline…"), this, [this] { savePipeline(); });
        menu->addSeparator();
        menu->addAction(tr("Discard steps"), this, [this] { m_stepping.clear(); });
        m_pipelineActions = QList{m_repeat} + menu->actions().sliced(before);
        return menu;
    }

    /// Registers a widget that is visible only while the steps come from a pipeline, and returns it.
    QWidget *ofPipeline(QWidget *widget)
    {
        m_pipelineParts << widget;
        return widget;
    }

    /// Adds a menu that chooses what computes the results after each step.
    void addNumberChecks(QMenu &menu)
    {
        using Check = Stepping::NumberCheck;
        QMenu *checks = menu.addMenu(tr("Check the results of each step"));
        auto *group = new QActionGroup(checks);
        const auto add = [&](const QString &text, Check check) {
            QAction *action = checks->addAction(text, this, [this, check] { m_stepping.setNumberCheck(check); });
            action->setCheckable(true);
            group->addAction(action);
            return action;
        };
        const std::array actions{add(tr("Off"), Check::None),
                                 add(tr("With the built-in evaluator (exact, for small models)"), Check::Evaluator),
                                 add(QString(), Check::Backend)};
        connect(checks, &QMenu::aboutToShow, this, [this, actions] {
            const Running &running = m_session.running();
            actions.back()->setText(
                tr("With the backend chosen in Run (%1)").arg(shown(running.setup().settings().backend)));
            actions.back()->setEnabled(!running.setup().obstacle(Running::Kind::Run));
            actions[std::size_t(m_stepping.numberCheck())]->setChecked(true);
        });
    }

    QWidget *upperPart()
    {
        m_passList->setModel(m_pipeline);
        prepare(*m_passList);
        m_passList->setAccessibleName(tr("Pipeline"));
        stretch(*m_passList, PipelineModel::PassColumn);
        connect(m_passList->selectionModel(), &QItemSelectionModel::currentChanged, this, [this] { showOptions(); });
        return stacked({m_passList, m_options});
    }

    QWidget *lowerPart()
    {
        m_stepList->setModel(m_steps);
        prepare(*m_stepList);
        m_stepList->setAccessibleName(tr("Steps"));
        stretch(*m_stepList, StepModel::PassColumn);
        connect(m_stepList->selectionModel(), &QItemSelectionModel::currentChanged, this,
                [this](const QModelIndex &index) {
                    if (const auto at = m_steps->position(index.row()); at && !m_following)
                        m_stepping.goTo(*at);
                });
        auto *filter = new QLineEdit(this);
        filter->setPlaceholderText(tr("Filter steps"));
        filter->setAccessibleName(filter->placeholderText());
        addClearButton(*filter);
        connect(filter, &QLineEdit::textChanged, m_steps, &StepModel::setFilter);
        auto *chart = new TotalsChart(m_stepping, m_session.analysing(), this);
        auto *totals = new QComboBox(this);
        totals->addItems({tr("Nodes"), tr("FLOPs"), tr("Parameters"), tr("Peak memory")});
        totals->setToolTip(tr("Total to plot"));
        totals->setAccessibleName(totals->toolTip());
        connect(totals, &QComboBox::currentIndexChanged, chart,
                [chart](int i) { chart->setTotal(static_cast<TotalsChart::Total>(i)); });
        auto *row = new QHBoxLayout;
        row->setContentsMargins(12, 6, 8, 6);
        row->setSpacing(8);
        row->addWidget(filter, 1);
        row->addWidget(new ScopeChoice(m_session, this), 1);
        prepare(*m_did, mutedText(palette()));
        prepare(*m_problem, errorColor(palette()));
        auto *under = new QHBoxLayout;
        under->setContentsMargins(12, 6, 8, 0);
        under->addWidget(totals);
        under->addStretch();
        QWidget *part = stacked({m_stepList, m_did, m_problem, chart});
        static_cast<QVBoxLayout *>(part->layout())->insertLayout(0, row);
        static_cast<QVBoxLayout *>(part->layout())->insertLayout(4, under);
        return part;
    }

    QWidget *stacked(std::initializer_list<QWidget *> widgets)
    {
        auto *part = new QWidget(this);
        auto *column = new QVBoxLayout(part);
        column->setContentsMargins(0, 0, 0, 0);
        column->setSpacing(0);
        for (QWidget *widget : widgets)
            column->addWidget(widget, qobject_cast<QTreeView *>(widget) ? 1 : 0);
        return part;
    }

    void prepare(QTreeView &list)
    {
        list.setRootIsDecorated(false);
        list.setUniformRowHeights(true);
        list.setAllColumnsShowFocus(true);
        list.setItemDelegate(new RowDelegate(&list));
        list.setTextElideMode(Qt::ElideMiddle); // names of steps have the same beginning and differ at the end
        makeCopyable(list);
    }

    void prepare(QLabel &label, QColor color)
    {
        label.setWordWrap(true);
        label.setTextFormat(Qt::PlainText);
        label.setContentsMargins(12, 4, 12, 6);
        // WindowText is the colour that is set below; with its background the label would use the role Text.
        label.setForegroundRole(QPalette::WindowText);
        QPalette colors = palette();
        colors.setColor(QPalette::WindowText, color);
        label.setPalette(colors);
        label.hide();
    }

    /// Stretches a column; the others have the width of their contents.
    static void stretch(QTreeView &list, int column)
    {
        QHeaderView &header = *list.header();
        header.setStretchLastSection(false);
        header.setMinimumSectionSize(24);
        header.setSectionResizeMode(QHeaderView::ResizeToContents);
        header.setSectionResizeMode(column, QHeaderView::Stretch);
    }

    void move(int by)
    {
        const int row = m_passList->currentIndex().row();
        if (m_pipeline->move(row, by))
            m_passList->setCurrentIndex(m_pipeline->index(row + by, 0));
    }

    /// Returns the nodes of the selected module, or else the selected node.
    std::vector<ir::NodeId> selectedNodes() const
    {
        const Navigation &navigation = m_session.navigation();
        const ir::Graph &graph = m_session.document().function().graph;
        std::vector<ir::NodeId> nodes;
        if (const auto *module = std::get_if<layout::ScopeSubject>(&navigation.selection())) {
            std::ranges::copy_if(graph.at(module->region).nodes, std::back_inserter(nodes), [&](ir::NodeId node) {
                return ir::isWithin(graph.context(), graph.at(node).scope, module->scope);
            });
        } else if (const auto node = navigation.selectedNode();
                   node && isThere(m_session.document().function(), *node)) {
            nodes.push_back(*node);
        }
        return nodes;
    }

    /// Adds a pass that replaces all parts of the graph with the form of the selected nodes. At first it replaces them
    /// by the same nodes; the user edits the replacement in the options.
    void replaceLikeSelection()
    {
        const Document &document = m_session.document();
        auto texts = passes::patternOf(document.model(), document.functionId(), selectedNodes());
        tell(texts ? QString() : shown(texts.error().text()));
        if (!texts)
            return;
        const passes::Pass *pass = passes::findPass("replace-pattern").value();
        passes::Settings settings(pass->options);
        settings.set("before", std::move(texts->before));
        settings.set("after", std::move(texts->after));
        passes::Pipeline pipeline = m_stepping.chosen().pipeline();
        pipeline.entries.push_back({pass, std::move(settings)});
        m_stepping.chosen().setPipeline(std::move(pipeline));
        m_passList->setCurrentIndex(m_pipeline->index(m_pipeline->rowCount() - 1, 0));
    }

    const passes::Entry *currentEntry() const
    {
        const auto &entries = m_stepping.chosen().pipeline().entries;
        const int row = m_passList->currentIndex().row();
        return row >= 0 && row < int(entries.size()) ? &entries[std::size_t(row)] : nullptr;
    }

    void showOptions() { m_options->show(currentEntry()); }

    void setSettings(const passes::Settings &settings)
    {
        if (!currentEntry())
            return;
        passes::Pipeline pipeline = m_stepping.chosen().pipeline();
        pipeline.entries[std::size_t(m_passList->currentIndex().row())].settings = settings;
        m_stepping.chosen().setPipeline(std::move(pipeline));
    }

    void follow()
    {
        followKind();
        m_run->setText(m_stepping.isRunning() ? tr("Stop") : tr("Run"));
        m_run->setDefault(!m_stepping.isRunning());
        m_repeat->setChecked(m_stepping.chosen().pipeline().iterations > 1);
        const auto &history = m_stepping.history();
        m_stepList->setColumnHidden(StepModel::ErrorColumn, !history || !history->checksNumbers());
        showOptions();
        followPosition();
    }

    void followKind()
    {
        for (QWidget *part : m_pipelineParts)
            part->setVisible(!m_stepping.isRecorded());
        for (QAction *action : m_pipelineActions)
            action->setVisible(!m_stepping.isRecorded());
        m_recorded->setVisible(m_stepping.isRecorded());
        const auto &history = m_stepping.history();
        const auto read = static_cast<long long>(m_stepping.count()) + 1;
        const auto all = static_cast<long long>(m_stepping.total()) + 1;
        m_recorded->setText(!history          ? tr("Recorded steps")
                                : read == all ? counted(all, "recorded graph", "recorded graphs")
                                              : tr("%1 of %2 recorded graphs are read").arg(read).arg(all));
    }

    void tellFailure()
    {
        const auto &history = m_stepping.history();
        tell(history && history->failure()
                 ? tr("%1 failed and left the graph unchanged: %2")
                       .arg(shown(history->failure()->entry.pass->name), shown(history->failure()->error.text()))
                 : QString());
    }

    void tellPatterns()
    {
        const QString text = m_steps->patterns().textOf(m_stepping.position());
        m_did->setText(text);
        m_did->setVisible(!text.isEmpty());
    }

    void followPosition()
    {
        m_following = true;
        const int row = m_stepping.history() ? m_steps->rowOf(m_stepping.position()) : -1;
        m_stepList->setCurrentIndex(row >= 0 ? m_steps->index(row, 0) : QModelIndex());
        m_following = false;
    }

    void tell(const QString &problem)
    {
        m_problem->setText(problem);
        m_problem->setVisible(!problem.isEmpty());
    }

    void openPipeline()
    {
        const QString path = QFileDialog::getOpenFileName(this, tr("Open pipeline"), {}, tr("Pipelines (*.json)"));
        if (path.isEmpty())
            return;
        auto pipeline = readPipeline(path, m_stepping.chosen().otherPasses());
        if (pipeline)
            m_stepping.chosen().setPipeline(std::move(*pipeline));
        else
            tell(shown(pipeline.error().text()));
    }

    void savePipeline()
    {
        const QString path = QFileDialog::getSaveFileName(this, tr("Save pipeline"), QStringLiteral("pipeline.json"),
                                                          tr("Pipelines (*.json)"));
        if (path.isEmpty())
            return;
        const auto written = writeWholeFile(path.toStdString(), passes::printPipeline(m_stepping.chosen().pipeline()));
        if (!written)
            tell(shown(written.error().text()));
    }

    Session &m_session;
    Stepping &m_stepping;
    PipelineModel *m_pipeline;
    StepModel *m_steps;
    QTreeView *m_passList, *m_stepList;
    OptionsForm *m_options = nullptr;
    QPushButton *m_run;
    QLabel *m_recorded; ///< shown in place of the pipeline's controls if the steps were recorded
    QLabel *m_did;      ///< describes what the shown step did
    QLabel *m_problem;
    QList<QWidget *> m_pipelineParts;
    QList<QAction *> m_pipelineActions;
    QAction *m_repeat = nullptr;
    bool m_following = false; ///< whether the program is setting the current step, rather than the user
};

} // namespace

QWidget *makePassesView(Session &session, QWidget *parent) { return new PassesView(session, parent); }

} // namespace cutaway::views
