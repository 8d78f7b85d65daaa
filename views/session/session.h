// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"
#include "core/layout/diagram.h"
#include "core/layout/expansion.h"
#include "core/layout/layout.h"
#include "core/report/module_sums.h"
#include "views/session/selection.h"

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

namespace cutaway::views {

class LayoutWorker;

/// The state of one open document that views share: they tell it what the user wants and follow its signals; none
/// knows another. The model is immutable. The diagram is made on another thread and stays until a newer one is there.
class Session : public QObject {
    Q_OBJECT

public:
    enum class Zoom { In, Out, Actual, Fit };

    explicit Session(std::shared_ptr<const ir::Model> model, const layout::Options &options = {},
                     QObject *parent = nullptr);
    ~Session() override;

    const ir::Model &model() const { return *m_model; }
    const std::shared_ptr<const ir::Model> &sharedModel() const { return m_model; }
    ir::FunctionId functionId() const { return m_function; }
    const ir::Function &function() const { return m_model->at(m_function); }
    const Selection &selection() const { return m_selection; }
    const layout::Expansion &expansion() const { return m_expansion; }
    const QString &searchText() const { return m_searchText; }
    /// Null until the first layout is there.
    const std::shared_ptr<const layout::Diagram> &diagram() const { return m_diagram; }
    /// The box whose opening or closing asked for the diagram: it should keep its place on the screen.
    const std::optional<layout::Subject> &anchor() const { return m_anchor; }
    bool isLayingOut() const;
    /// What must be open to see the box of a subject, outermost first. Views ask about the same one in turn: the last
    /// answer is kept, since finding it is O(nodes).
    const std::vector<layout::Subject> &enclosing(const layout::Subject &subject) const;
    /// Of the current function; made on first use.
    const report::ModuleSums &moduleSums() const;

    /// Lays out the current function for the first time.
    void start();
    void setFunction(ir::FunctionId function);
    void select(const Selection &selection);
    /// Selects, opens what encloses it, and asks the graph to centre it once it is drawn.
    void reveal(const Selection &selection);
    void setOpen(const layout::Subject &subject, bool open);
    void toggle(const layout::Subject &subject) { setOpen(subject, !m_expansion.isOpen(subject)); }
    /// Opens all modules of the first `depth` levels and closes the others.
    void setDepth(int depth);
    void openDeeper();
    void closeDeepest();
    void setSearchText(const QString &text);
    void requestZoom(Zoom zoom) { emit zoomRequested(zoom); }
    /// Keeps the picture that is shown, and the boxes that are open in it.
    void cancelLayout();

signals:
    void functionChanged();
    void selectionChanged();
    void diagramChanged();
    void layoutBusyChanged();
    void searchTextChanged();
    void zoomRequested(cutaway::views::Session::Zoom zoom);
    void centreRequested(const cutaway::layout::Subject &subject);

private:
    void layOut(layout::Expansion expansion);
    int openDepth() const;

    std::shared_ptr<const ir::Model> m_model;
    ir::FunctionId m_function;
    Selection m_selection;
    layout::Expansion m_expansion;      ///< as asked for
    layout::Expansion m_shownExpansion; ///< of m_diagram
    QString m_searchText;
    std::shared_ptr<const layout::Diagram> m_diagram;
    std::optional<layout::Subject> m_anchor;
    std::optional<layout::Subject> m_toCentre; ///< after the layout under way
    LayoutWorker *m_worker;
    mutable std::optional<report::ModuleSums> m_moduleSums;
    mutable std::optional<std::pair<layout::Subject, std::vector<layout::Subject>>> m_enclosing;
};

} // namespace cutaway::views
