// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/comparison.h"
#include "core/tensor/statistics.h"
#include "views/parts/latest_work.h"
#include "views/tensor/part.h"

#include <QWidget>

class QComboBox;
class QLabel;
class QLineEdit;
class QProgressBar;
class QTabWidget;
class QTableView;
class QToolButton;

namespace cutaway::views {

class ChannelModel;
class ElementModel;
class ElidedLabel;
class HeatMap;
class HistogramPlot;
class PropertySheet;

/// A tensor of another model or run that corresponds to the shown one.
struct Counterpart {
    TensorPlace place;
    QString where; ///< "in resnet.onnx", "before the passes", "of the previous run"
    bool operator==(const Counterpart &) const = default;
};

/// The page of one tensor: statistics and a histogram of all elements, and a part of them as a picture and a page of
/// numbers. It can show the same for the counterpart, and for the difference from it. Everything is read on other
/// threads, and the part before the statistics, which take long for a large tensor.
class TensorPage : public QWidget {
    Q_OBJECT

public:
    explicit TensorPage(QWidget *parent);

    enum class Side { This, Counterpart, Difference };

    void show(const TensorPlace &tensor, std::optional<Counterpart> counterpart = {});
    void clear();
    /// Shows the tensor (This), its counterpart, or their difference. Precondition: there is a counterpart, unless
    /// `side` is This.
    void showSide(Side side);
    /// Shows the part that a text such as "0, :, 3:10" describes.
    void showPart(const QString &text);
    /// Also computes the statistics for each index of the dimension `dim`.
    void showChannels(std::size_t dim);
    /// Writes the shown part to a .npy or .csv file.
    void save(const QString &path);

    bool isBusy() const;

signals:
    void busyChanged();

private:
    /// The progress of work on another thread.
    struct Progress;

    QLayout *makeTools();
    QWidget *makeElements();
    QWidget *makeChannels();
    void fillDimensions();
    void fillSides();
    const TensorPlace &place() const;
    void readAnew();
    void compare();
    void readPart(std::uint64_t firstRow);
    void take(std::shared_ptr<const TensorPart> part);
    void summarize();
    void fillSheet();
    void fillStatistics();
    void fillComparison();
    void movePage(int pages);
    void askForFile();
    void followBusy();
    Task taskOf(const std::stop_token &stop);

    TensorPlace m_tensor; ///< the tensor that is shown; without a model, no tensor is shown
    std::optional<Counterpart> m_counterpart;
    Side m_side = Side::This;
    std::optional<Result<tensor::Comparison>> m_comparison;
    std::shared_ptr<const TensorPart> m_part;
    std::optional<tensor::Summary> m_summary;
    QString m_notice; ///< why there are no statistics

    QLineEdit *m_slice;
    QComboBox *m_sides;
    QComboBox *m_dimension;
    QToolButton *m_saveButton;
    QLabel *m_message;
    QProgressBar *m_bar;
    QToolButton *m_stop;
    PropertySheet *m_sheet;
    HistogramPlot *m_histogram;
    HeatMap *m_heatMap;
    ElementModel *m_elements;
    QTableView *m_table;
    ChannelModel *m_channels;
    QTabWidget *m_tables;
    ElidedLabel *m_rows;
    QToolButton *m_back, *m_forth;
    bool m_isOfOther = false; ///< whether the part being read belongs to another tensor than the shown one

    // These members are the last ones, so that their work ends before the members that it uses are destroyed.
    LatestWork m_reading, m_summarizing, m_comparing, m_saving;
};

} // namespace cutaway::views
