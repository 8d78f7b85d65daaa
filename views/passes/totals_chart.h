// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "views/parts/axis.h"
#include "views/session/analysing.h"
#include "views/session/stepping.h"

#include <QWidget>

namespace cutaway::views {

/// A step plot of one total after each step; a click goes to a step.
class TotalsChart : public QWidget {
    Q_OBJECT

public:
    enum class Total { Nodes, Flops, Parameters, Memory };

    TotalsChart(Stepping &stepping, Analysing &analysing, QWidget *parent = nullptr);

    void setTotal(Total total);
    QSize sizeHint() const override { return {320, 130}; }

protected:
    bool event(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;

private:
    void fill();
    Quantity quantity(std::size_t position) const;
    std::size_t positionAt(double pixel) const;
    double pixelOf(std::size_t position) const;

    Stepping &m_stepping;
    Analysing &m_analysing;
    Total m_total = Total::Nodes;
    std::vector<double> m_values; ///< by position, formulas at the example sizes; empty if some are unknown
};

} // namespace cutaway::views
