// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/desktop/status.h"

#include "core/analysis/counts.h"
#include "core/analysis/module_sums.h"
#include "core/base/text.h"
#include "core/ir/model.h"
#include "core/ir/weights_only.h"
#include "views/appearance/icon.h"
#include "views/parts/latest_work.h"
#include "views/parts/text.h"
#include "views/session/analysing.h"
#include "views/session/document.h"
#include "views/session/session.h"

#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QToolButton>
#include <QUrl>

namespace cutaway::desktop {
namespace {
constexpr int patienceMs = 200;
constexpr int messageMs = 6000;
constexpr int writtenMs = 30'000; ///< long enough for a user to click on the link to the file
constexpr int steps = 1000;

/// Truncates a long text, since a formula may have a term for each layer; the view Model shows it in full.
QString cut(const QString &text)
{
    constexpr qsizetype longest = 160;
    return text.size() > longest ? text.first(longest) + QStringLiteral("…") : text;
}

QString flopsText(const views::Quantity &flops)
{
    return flops.numberOrExample() ? flops.text() : QObject::tr("FLOPs %1").arg(flops.text());
}
} // namespace

Status::Status(QWidget *parent)
    : QStatusBar(parent),
      m_facts(new QLabel(this)),
      m_diagnostics(new QToolButton(this)),
      m_written(new QLabel(this)),
      m_what(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_cancel(new QToolButton(this)),
      m_linting(new views::LatestWork(this))
{
    m_facts->setContentsMargins(8, 2, 8, 2);
    m_what->setForegroundRole(QPalette::PlaceholderText);
    m_bar->setFixedSize(160, 4);
    m_bar->setTextVisible(false);
    m_cancel->setIcon(views::icon("close"));
    m_cancel->setToolTip(tr("Cancel"));
    m_cancel->setAccessibleName(m_cancel->toolTip());
    m_cancel->setIconSize({12, 12});
    m_diagnostics->setIconSize({14, 14});
    m_diagnostics->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_diagnostics->setToolTip(tr("Show the diagnostics"));
    addWidget(m_facts);
    addWidget(m_diagnostics);
    m_diagnostics->hide();
    addWidget(m_written);
    m_written->hide();
    m_written->setObjectName("written");
    m_written->setOpenExternalLinks(true);
    m_written->setTextInteractionFlags(Qt::TextBrowserInteraction);
    m_writtenLately.setSingleShot(true);
    m_writtenLately.setInterval(writtenMs);
    connect(&m_writtenLately, &QTimer::timeout, m_written, &QWidget::hide);
    connect(m_diagnostics, &QToolButton::clicked, this, [this] { m_onDiagnostics(); });
    for (QWidget *widget : std::initializer_list<QWidget *>{m_what, m_bar, m_cancel}) {
        addPermanentWidget(widget);
        widget->hide();
    }
    m_patience.setSingleShot(true);
    m_patience.setInterval(patienceMs);
    connect(&m_patience, &QTimer::timeout, this, [this] {
        m_what->show();
        m_bar->show();
        m_cancel->show();
    });
    connect(m_cancel, &QToolButton::clicked, this, [this] {
        if (m_onCancel)
            m_onCancel();
    });
}

void Status::show(const views::Session *session, std::function<void()> showDiagnostics)
{
    m_onDiagnostics = std::move(showDiagnostics);
    m_diagnostics->hide();
    m_linting->cancel();
    if (!session)
        return m_facts->clear();
    countDiagnostics(*session);
    if (const ir::Model &file = session->document().file(); ir::isWeightsOnly(file)) {
        m_facts->setText(QStringLiteral("%1   ·   %2")
                             .arg(views::counted(static_cast<long long>(file.tensors.size()), "tensor", "tensors"),
                                  views::shown(byteCount(double(analysis::countTensors(file).storageBytes)))));
        return m_facts->setToolTip({});
    }
    const analysis::ModuleSums::Sum &sum = session->document().moduleSums().at(ir::ScopeId{});
    QStringList facts{views::counted(sum.nodes, "node", "nodes")};
    QStringList exact{tr("%1, %2").arg(views::counted(sum.parameters, "parameter", "parameters"),
                                       views::counted(sum.bytes, "byte", "bytes"))};
    if (sum.parameters > 0)
        facts << tr("%1 %2").arg(views::shown(siCount(double(sum.parameters))),
                                 sum.parameters == 1 ? tr("parameter") : tr("parameters"))
              << views::shown(byteCount(double(sum.bytes)));
    if (const views::Figures *figures = session->analysing().figures().get()) {
        const auto flops = figures->total(views::Measure::Flops), peak = figures->total(views::Measure::Memory);
        facts << flopsText(flops) << tr("peak memory %1").arg(peak.text());
        exact << cut(figures->exactText(flops)) << tr("peak memory %1").arg(cut(figures->exactText(peak)));
    }
    m_facts->setText(facts.join("   ·   "));
    m_facts->setToolTip(views::toolTipText(exact.join('\n')));
}

/// Counts the diagnostics that the dock shows: those of the file and its analysis and, once found, those of lint.
void Status::countDiagnostics(const views::Session &session)
{
    const auto figures = session.analysing().figures();
    const auto model = session.document().models().shown.model;
    const auto withModels = [model](std::vector<ir::Diagnostic> all) {
        all.insert(all.end(), model->diagnostics.begin(), model->diagnostics.end());
        return all;
    };
    showDiagnosticCount(withModels(figures ? figures->diagnostics() : std::vector<ir::Diagnostic>()));
    if (!figures)
        return;
    m_linting->request([this, figures, withModels](const std::stop_token &stop) -> views::LatestWork::Finish {
        return [this, all = withModels(figures->diagnosticsAndFindings(Task{stop, {}}))] { showDiagnosticCount(all); };
    });
}

void Status::showDiagnosticCount(const std::vector<ir::Diagnostic> &all)
{
    auto gravest = ir::Severity::Info;
    for (const ir::Diagnostic &diagnostic : all)
        gravest = std::max(gravest, diagnostic.severity);
    m_diagnostics->setVisible(!all.empty());
    m_diagnostics->setIcon(views::icon(gravest == ir::Severity::Error         ? "error"
                                           : gravest == ir::Severity::Warning ? "warning"
                                                                              : "info"));
    m_diagnostics->setText(views::counted(static_cast<long long>(all.size()), "diagnostic", "diagnostics"));
}

void Status::begin(const QString &what, std::function<void()> cancel)
{
    m_what->setText(what);
    m_onCancel = std::move(cancel);
    m_bar->setRange(0, 0);
    m_patience.start();
}

void Status::progress(const QString &what, quint64 done, quint64 total)
{
    m_what->setText(what);
    m_bar->setRange(0, total == 0 ? 0 : steps);
    if (total > 0)
        m_bar->setValue(static_cast<int>(double(done) / double(total) * steps));
}

void Status::tell(const QString &text) { showMessage(text, messageMs); }

void Status::exported(const QStringList &paths) { tellWritten(tr("Exported %1"), paths); }

void Status::saved(const QString &path) { tellWritten(tr("Saved %1"), {path}); }

void Status::tellWritten(const QString &what, const QStringList &paths)
{
    QStringList links;
    for (const QString &path : paths)
        links << QStringLiteral("<a href=\"%1\">%2</a>")
                     .arg(QUrl::fromLocalFile(path).toString(QUrl::FullyEncoded),
                          QFileInfo(path).fileName().toHtmlEscaped());
    m_written->setText(what.arg(links.join(tr(" and "))));
    m_written->setToolTip(views::toolTipText(paths.join('\n')));
    m_written->show();
    m_writtenLately.start();
}

void Status::end()
{
    m_patience.stop();
    m_onCancel = {};
    m_what->hide();
    m_bar->hide();
    m_cancel->hide();
}

} // namespace cutaway::desktop
