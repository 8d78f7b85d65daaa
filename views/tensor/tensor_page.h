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

/// The tensor that stands elsewhere for one that is shown.
struct Counterpart {
    TensorPlace place;
    QString where; ///< "resnet.onnx", "before the passes"
    bool operator==(const Counterpart &) const = default;
};

/// One tensor: its statistics and a histogram, a picture and a page of elements of a part of it; the same of its
/// counterpart and of their differences. All is read on other threads; a part is there at once, however large the
/// tensor is.
class TensorPage : public QWidget {
    Q_OBJECT

public:
    explicit TensorPage(QWidget *parent);

    enum class Side { This, Counterpart, Difference };

    void show(const TensorPlace &tensor, std::optional<Counterpart> counterpart = {});
    void clear();
    /// Shows the counterpart instead, or the differences from it. Precondition: there is one, if not This.
    void showSide(Side side);
    /// Shows another part: "0, :, 3:10".
    void showPart(const QString &text);
    /// Statistics for each index of a dimension, too.
    void showChannels(std::size_t dim);
    /// Writes the part that is shown: .npy or .csv.
    void save(const QString &path);

    bool isBusy() const;

signals:
    void busyChanged();

private:
    /// How far work is, on its way from another thread.
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

    TensorPlace m_tensor; ///< no model: nothing is shown
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
    bool m_isOfOther = false; ///< the part under way is of another tensor than the one shown

    // The works are the last members, so that they end before what they use is destroyed.
    LatestWork m_reading, m_summarizing, m_comparing, m_saving;
};

} // namespace cutaway::views
