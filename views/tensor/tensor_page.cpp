// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "views/tensor/tensor_page.h"

#include "core/base/text.h"
#include "core/ir/context.h"
#include "core/report/tensor/tensor_lines.h"
#include "core/tensor/save.h"
#include "views/parts/clear_button.h"
#include "views/parts/elided_label.h"
#include "views/parts/property_sheet.h"
#include "views/parts/row_delegate.h"
#include "views/parts/text.h"
#include "views/tensor/channel_model.h"
#include "views/tensor/element_model.h"
#include "views/tensor/heat_map.h"
#include "views/tensor/histogram.h"
#include "views/tensor/tensor_model.h"

#include <QComboBox>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QProgressBar>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>
#include <QVBoxLayout>

namespace cutaway::views {
namespace {

constexpr int leastPart = 172; ///< the least width in pixels of a part of the page
constexpr int barSteps = 1000;

QToolButton *toolButton(const QString &text, const QString &toolTip, QWidget *parent)
{
    auto *button = new QToolButton(parent);
    button->setText(text);
    button->setToolTip(toolTip);
    button->setAccessibleName(toolTip);
    return button;
}

QString storedText(const ir::Model &model, const ir::Tensor &tensor) { return shown(report::placeText(model, tensor)); }

} // namespace

TensorPage::TensorPage(QWidget *parent)
    : QWidget(parent),
      m_slice(new QLineEdit(this)),
      m_sides(new QComboBox(this)),
      m_dimension(new QComboBox(this)),
      m_saveButton(toolButton(tr("Save…"), tr("Save the slice shown as a NumPy array or CSV"), this)),
      m_message(new QLabel(this)),
      m_bar(new QProgressBar(this)),
      m_stop(toolButton(tr("Stop"), tr("Stop reading the tensor"), this)),
      m_sheet(new PropertySheet(this)),
      m_histogram(new HistogramPlot(this)),
      m_heatMap(new HeatMap(this)),
      m_elements(new ElementModel(this)),
      m_table(new QTableView(this)),
      m_channels(new ChannelModel(this)),
      m_tables(new QTabWidget(this)),
      m_rows(new ElidedLabel({}, this)),
      m_back(toolButton(QStringLiteral("◀"), tr("Previous elements"), this)),
      m_forth(toolButton(QStringLiteral("▶"), tr("Next elements"), this))
{
    auto *split = new QSplitter(Qt::Horizontal, this);
    split->setChildrenCollapsible(false);
    split->addWidget(m_sheet);
    split->addWidget(m_histogram);
    split->addWidget(m_heatMap);
    m_tables->addTab(makeElements(), tr("Elements"));
    m_tables->addTab(makeChannels(), tr("Channels"));
    m_tables->setDocumentMode(true);
    m_tables->setAccessibleName(tr("Tables"));
    m_tables->tabBar()->setAccessibleName(m_tables->accessibleName());
    split->addWidget(m_tables);
    m_sheet->setMinimumWidth(leastPart);
    split->setSizes({270, 220, 240, 470});
    auto *column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addLayout(makeTools());
    column->addWidget(split, 1);
    for (LatestWork *work : {&m_reading, &m_summarizing, &m_comparing, &m_saving})
        connect(work, &LatestWork::busyChanged, this, [this] { followBusy(); });
    clear();
}

QLayout *TensorPage::makeTools()
{
    m_slice->setPlaceholderText(tr("Slice, e.g. 0, :, 3:10"));
    m_slice->setAccessibleName(tr("Slice"));
    m_sides->setAccessibleName(tr("Which tensor"));
    m_sides->setMaximumWidth(220);
    m_dimension->setAccessibleName(tr("Channel axis"));
    addClearButton(*m_slice);
    m_slice->setMaximumWidth(300);
    m_bar->setMaximumWidth(160);
    m_bar->setTextVisible(false);
    m_bar->setRange(0, barSteps);
    m_message->setTextFormat(Qt::PlainText);
    m_message->setForegroundRole(QPalette::PlaceholderText);
    m_message->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_slice, &QLineEdit::editingFinished, this, [this] {
        if (m_slice->isModified())
            readPart(0);
        m_slice->setModified(false);
    });
    connect(m_sides, &QComboBox::activated, this, [this](int index) { showSide(Side(index)); });
    connect(m_dimension, &QComboBox::activated, this, [this] {
        m_tables->setCurrentIndex(m_dimension->currentIndex() > 0 ? 1 : 0);
        summarize();
    });
    connect(m_saveButton, &QToolButton::clicked, this, [this] { askForFile(); });
    connect(m_stop, &QToolButton::clicked, this, [this] {
        m_notice = tr("Stopped");
        m_summarizing.cancel();
        m_comparing.cancel();
        m_saving.cancel();
    });
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 6, 8, 6);
    row->setSpacing(8);
    row->addWidget(m_slice, 1);
    row->addWidget(m_sides);
    row->addWidget(m_dimension);
    row->addWidget(m_saveButton);
    row->addWidget(m_message, 1);
    row->addWidget(m_bar);
    row->addWidget(m_stop);
    return row;
}

QWidget *TensorPage::makeElements()
{
    auto *page = new QWidget(this);
    m_table->setModel(m_elements);
    m_table->setAccessibleName(tr("Elements"));
    m_table->setShowGrid(false);
    m_table->setItemDelegate(new RowDelegate(m_table));
    m_table->verticalHeader()->setDefaultSectionSize(24);
    m_table->horizontalHeader()->setDefaultSectionSize(92);
    m_rows->setForegroundRole(QPalette::PlaceholderText);
    m_rows->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    connect(m_back, &QToolButton::clicked, this, [this] { movePage(-1); });
    connect(m_forth, &QToolButton::clicked, this, [this] { movePage(1); });
    auto *row = new QHBoxLayout;
    row->setContentsMargins(8, 2, 8, 2);
    row->addWidget(m_rows, 1);
    row->addWidget(m_back);
    row->addWidget(m_forth);
    auto *column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_table, 1);
    column->addLayout(row);
    return page;
}

QWidget *TensorPage::makeChannels()
{
    auto *table = new QTableView(this);
    table->setModel(m_channels);
    table->setAccessibleName(tr("Channels"));
    table->setShowGrid(false);
    table->setItemDelegate(new RowDelegate(table));
    table->verticalHeader()->setDefaultSectionSize(24);
    table->horizontalHeader()->setDefaultSectionSize(92);
    return table;
}

void TensorPage::fillDimensions()
{
    m_dimension->clear();
    m_dimension->addItem(tr("Channel axis: none"));
    if (m_tensor.model)
        for (const std::int64_t size : place().get().shape)
            m_dimension->addItem(tr("Channel axis: %1 (size %2)").arg(m_dimension->count() - 1).arg(size));
}

void TensorPage::fillSides()
{
    m_sides->clear();
    m_sides->setVisible(m_counterpart.has_value());
    if (m_counterpart)
        m_sides->addItems({tr("This tensor"), tr("Tensor %1").arg(m_counterpart->where), tr("Difference")});
}

/// Returns the place of the counterpart if that is shown, else that of the tensor itself.
const TensorPlace &TensorPage::place() const { return m_side == Side::Counterpart ? m_counterpart->place : m_tensor; }

void TensorPage::showChannels(std::size_t dim)
{
    m_dimension->setCurrentIndex(int(dim) + 1);
    m_tables->setCurrentIndex(1);
    summarize();
}

void TensorPage::clear()
{
    m_tensor = {};
    m_counterpart.reset();
    m_side = Side::This;
    m_comparison.reset();
    for (LatestWork *work : {&m_reading, &m_summarizing, &m_comparing, &m_saving})
        work->cancel();
    m_slice->clear();
    m_message->clear();
    m_summary.reset();
    m_channels->show(std::nullopt);
    fillSides();
    fillDimensions();
    m_notice = tr("Choose a tensor");
    take(nullptr);
    followBusy();
}

void TensorPage::show(const TensorPlace &tensor, std::optional<Counterpart> counterpart)
{
    if (tensor == m_tensor && counterpart == m_counterpart)
        return;
    clear();
    m_tensor = tensor;
    m_counterpart = std::move(counterpart);
    fillSides();
    compare();
    readAnew();
}

void TensorPage::showSide(Side side)
{
    m_sides->setCurrentIndex(int(side));
    if (std::exchange(m_side, side) != side)
        readAnew();
}

/// Reads the shown part again. The statistics are computed once the part is there.
void TensorPage::readAnew()
{
    m_summarizing.cancel();
    m_summary.reset();
    m_channels->show(std::nullopt);
    m_notice = tr("Reading…");
    m_isOfOther = true;
    fillDimensions();
    fillSheet();
    readPart(0);
}

void TensorPage::showPart(const QString &text)
{
    m_slice->setText(text);
    readPart(0);
}

void TensorPage::readPart(std::uint64_t firstRow)
{
    if (!m_tensor.model)
        return;
    TensorChoice choice{place()};
    if (m_side == Side::Difference)
        choice.less = m_counterpart->place;
    m_reading.request(
        [this, choice, text = m_slice->text().toStdString(), firstRow](const std::stop_token &) -> LatestWork::Finish {
            auto part = std::make_shared<const TensorPart>(views::readPart(choice, text, firstRow));
            return [this, part] {
                take(part);
                if (std::exchange(m_isOfOther, false))
                    summarize();
            };
        });
}

void TensorPage::compare()
{
    if (!m_counterpart)
        return;
    m_comparing.request(
        [this, a = m_tensor, b = m_counterpart->place](const std::stop_token &stop) -> LatestWork::Finish {
            const auto first = tensor::Values::of(*a.model, a.tensor), second = tensor::Values::of(*b.model, b.tensor);
            auto compared = std::make_shared<Result<tensor::Comparison>>(
                !first        ? std::unexpected(first.error())
                    : !second ? std::unexpected(second.error())
                              : tensor::compare(*first, *second, taskOf(stop)));
            return [this, compared] {
                m_comparison = std::move(*compared);
                fillSheet();
            };
        });
}

void TensorPage::take(std::shared_ptr<const TensorPart> part)
{
    m_part = std::move(part);
    m_heatMap->show(m_part);
    m_elements->show(m_part);
    m_message->setText(m_part ? shown(m_part->fault) : QString());
    m_table->horizontalHeader()->setVisible(m_part && !m_part->page.columnNames.empty());
    const TensorPart::Page page = m_part ? m_part->page : TensorPart::Page();
    const std::uint64_t end = page.first + page.texts.size();
    QString rows = page.texts.empty()
        ? QString()
        : tr("%1 to %2 of %3")
              .arg(shown(grouped(std::int64_t(page.first + 1))), shown(grouped(std::int64_t(end))),
                   counted(std::int64_t(page.of), "row", "rows"));
    if (!page.texts.empty() && page.columns > page.texts.front().size())
        rows += tr(", first %1 of %2")
                    .arg(page.texts.front().size())
                    .arg(counted(std::int64_t(page.columns), "column", "columns"));
    m_rows->setText(rows);
    m_back->setEnabled(page.first > 0);
    m_forth->setEnabled(end < page.of);
    m_saveButton->setEnabled(m_part && m_part->values);
    fillSheet();
}

void TensorPage::movePage(int pages)
{
    if (!m_part)
        return;
    const std::uint64_t first = m_part->page.first;
    readPart(pages > 0 ? first + rowsOfPage : first - std::min(first, rowsOfPage));
}

/// Returns a task whose progress moves the bar. It reports from the worker's thread at most a thousand times.
Task TensorPage::taskOf(const std::stop_token &stop)
{
    return {stop, [this, last = -1](std::string_view, std::uint64_t done, std::uint64_t total) mutable {
                const int step = total == 0 ? 0 : int(double(done) / double(total) * barSteps);
                if (std::exchange(last, step) != step)
                    QMetaObject::invokeMethod(this, [this, step] { m_bar->setValue(step); }, Qt::QueuedConnection);
            }};
}

void TensorPage::summarize()
{
    if (!m_part || !m_part->values) {
        m_notice = m_part ? shown(m_part->fault) : QString();
        return fillSheet();
    }
    m_bar->setValue(0);
    tensor::SummaryOptions options;
    if (m_dimension->currentIndex() > 0)
        options.channelDim = std::size_t(m_dimension->currentIndex() - 1);
    m_summarizing.request([this, values = *m_part->values, options](const std::stop_token &stop) -> LatestWork::Finish {
        auto summary = std::make_shared<Result<tensor::Summary>>(tensor::summarize(values, options, taskOf(stop)));
        return [this, summary] {
            if (*summary) {
                m_channels->show(std::exchange((*summary)->channels, std::nullopt));
                m_summary = std::move(**summary);
            } else {
                m_message->setText(shown(summary->error().text()));
                m_notice = m_message->text();
            }
            fillSheet();
        };
    });
}

void TensorPage::fillSheet()
{
    m_sheet->clear();
    if (!m_tensor.model) {
        m_histogram->clear(m_notice);
        return;
    }
    const ir::Model &model = *place().model;
    const ir::Tensor &tensor = place().get();
    m_sheet->title(shown(model.context->text(tensor.name)), tensorTypeText(tensor));
    m_sheet->section(m_side == Side::Difference ? tr("Statistics of the difference") : tr("Statistics"));
    if (m_summary)
        fillStatistics();
    else
        m_sheet->muted(m_notice);
    if (m_counterpart)
        fillComparison();
    m_sheet->section(tr("Tensor"));
    if (const auto elements = ir::elementCount(tensor))
        m_sheet->row(tr("elements"), shown(grouped(*elements)), PropertySheet::Look::Number);
    if (m_part && !m_part->quantization.empty())
        m_sheet->row(tr("quantized"), shown(m_part->quantization));
    m_sheet->row(tr("stored"), storedText(model, tensor));
    if (m_summary)
        m_histogram->show(m_summary->histogram);
    else
        m_histogram->clear(m_notice);
}

void TensorPage::fillStatistics()
{
    const tensor::Statistics &whole = m_summary->whole;
    const auto number = [&](const QString &name, double x) {
        m_sheet->row(name, shown(report::numberText(x)), PropertySheet::Look::Number, QString::number(x, 'g', 17));
    };
    const auto count = [&](const QString &name, std::uint64_t n) {
        m_sheet->row(name, shown(grouped(std::int64_t(n))), PropertySheet::Look::Number);
    };
    if (m_part && m_part->values && m_part->values->areMagnitudes())
        m_sheet->muted(tr("Magnitudes"));
    if (m_part && m_part->values && m_part->values->areDequantized())
        m_sheet->muted(tr("Dequantized values"));
    number(tr("min"), whole.min);
    number(tr("max"), whole.max);
    number(tr("mean"), whole.mean);
    number(tr("std"), whole.deviation());
    count(tr("zeros"), whole.zeros);
    count(tr("NaN"), whole.nans);
    count(tr("infinite"), whole.infinities());
}

void TensorPage::fillComparison()
{
    m_sheet->section(tr("Difference"));
    m_sheet->row(tr("compared with"), tr("tensor %1").arg(m_counterpart->where));
    const ir::Tensor &other = m_counterpart->place.get();
    const QString name = shown(m_counterpart->place.model->context->text(other.name));
    if (name != shown(m_tensor.model->context->text(m_tensor.get().name)))
        m_sheet->row(tr("name"), name);
    if (tensorTypeText(other) != tensorTypeText(m_tensor.get()))
        m_sheet->row(tr("type"), tensorTypeText(other));
    if (!m_comparison)
        return m_sheet->muted(m_comparing.isBusy() ? tr("Comparing…") : tr("Stopped"));
    if (!*m_comparison)
        return m_sheet->muted(shown(m_comparison->error().text()));
    const tensor::Comparison &compared = **m_comparison;
    if (compared.differing == 0)
        return m_sheet->muted(tr("All elements are equal."));
    const auto distance = [&](const QString &text, double x, std::uint64_t at) {
        m_sheet->row(text, shown(report::numberText(x)), PropertySheet::Look::Number,
                     tr("%1 at %2").arg(QString::number(x, 'g', 17), shown(report::indexText(other.shape, at))));
    };
    m_sheet->row(tr("differing elements"), shown(grouped(std::int64_t(compared.differing))),
                 PropertySheet::Look::Number,
                 tr("of %1, the first at %2")
                     .arg(shown(grouped(std::int64_t(compared.elements))),
                          shown(report::indexText(other.shape, compared.firstDifference.value_or(0)))));
    distance(tr("largest absolute difference"), compared.maxAbsolute, compared.maxAbsoluteAt);
    distance(tr("largest relative difference"), compared.maxRelative, compared.maxRelativeAt);
}

bool TensorPage::isBusy() const
{
    return m_reading.isBusy() || m_summarizing.isBusy() || m_comparing.isBusy() || m_saving.isBusy();
}

void TensorPage::askForFile()
{
    const QString path = QFileDialog::getSaveFileName(this, tr("Save the elements"),
                                                      shown(place().model->context->text(place().get().name)) + ".npy",
                                                      tr("NumPy array (*.npy);;CSV (*.csv)"));
    if (!path.isEmpty())
        save(path);
}

void TensorPage::save(const QString &path)
{
    if (!m_part || !m_part->values)
        return;
    m_bar->setValue(0);
    m_saving.request([this, part = m_part, path](const std::stop_token &stop) -> LatestWork::Finish {
        // The user asks for a part in the dimensions of the tensor. If the stored elements have another number of
        // dimensions, all of them are saved.
        const auto &shape = part->values->elements().shape();
        const bool isWhole = part->part.ranges.size() != shape.size();
        const auto saved = tensor::save(*part->values, isWhole ? tensor::wholeOf(shape) : part->part,
                                        path.toStdString(), taskOf(stop));
        const QString message = saved ? tr("Saved as %1").arg(path) : shown(saved.error().text());
        return [this, message] { m_message->setText(message); };
    });
}

void TensorPage::followBusy()
{
    const bool isLong = m_summarizing.isBusy() || m_comparing.isBusy() || m_saving.isBusy();
    m_bar->setVisible(isLong);
    m_stop->setVisible(isLong);
    if (!isLong && !m_summary && m_tensor.model && m_part && !m_reading.isBusy())
        fillSheet(); // the sheet shows that the statistics were stopped
    emit busyChanged();
}

} // namespace cutaway::views
