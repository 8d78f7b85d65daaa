// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/ids.h"

#include <QObject>

namespace cutaway::views {

/// Passes a view's requests on to the graph or the window, to show something that the view does not show itself.
class Requests : public QObject {
    Q_OBJECT

public:
    enum class Zoom { In, Out, Actual, Fit, Selection };
    enum class Beside { Nodes, Source };

    void zoom(Zoom zoom) { emit zoomRequested(zoom); }
    /// Gives the keyboard to the graph.
    void focus() { emit focusRequested(); }
    /// Shows the elements of a tensor of the model that is shown.
    void tensor(ir::TensorId tensor) { emit tensorRequested(tensor); }
    /// Shows the elements of a tensor of the last run's outputs (RunOutputs::tensors).
    void output(ir::TensorId tensor) { emit outputRequested(tensor); }
    /// Shows the selection in a view beside the graph.
    void view(Beside view) { emit viewRequested(view); }
    /// Saves the selected node or module as a separate model.
    void extraction() { emit extractionRequested(); }

signals:
    void zoomRequested(cutaway::views::Requests::Zoom zoom);
    void focusRequested();
    void tensorRequested(cutaway::ir::TensorId tensor);
    void outputRequested(cutaway::ir::TensorId tensor);
    void viewRequested(cutaway::views::Requests::Beside view);
    void extractionRequested();
};

} // namespace cutaway::views
