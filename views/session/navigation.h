// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/expansion.h"
#include "core/ops/category.h"
#include "views/session/visits.h"

#include <QObject>
#include <QPointF>
#include <functional>
#include <optional>
#include <variant>

namespace cutaway::views {

class Document;
class Drawing;

/// The part of the model that the views show: the selection, the open boxes, and requests to the graph to show
/// something. The user can undo the opening and closing of boxes.
class Navigation : public QObject {
    Q_OBJECT

public:
    /// The part of the diagram that the graph shows.
    struct Place {
        QPointF middle; ///< the point of the diagram in the middle of the widget
        double zoom = 1;
    };

    Navigation(Document &document, Drawing &drawing);

    const Selection &selection() const { return m_selection; }
    /// Returns the node that subjectOf() finds for the selection; nothing if the subject is not a node.
    std::optional<ir::NodeId> selectedNode() const;
    /// Returns the function that a selection is in: the shown one or, if a pass has removed the selection, the one
    /// before the pass.
    const ir::Function &functionOf(const Selection &selection) const;
    const ir::Function &selectedFunction() const { return functionOf(m_selection); }
    /// Returns the boxes that are open, or will be once the layout is done.
    const layout::Expansion &expansion() const { return m_expansion; }
    /// Whether the graph shows a small map of itself if it does not fit into the widget.
    bool showsMap() const { return m_showsMap; }

    /// Draws the function for the first time, with a readable part of it open.
    void start();
    /// Draws the function with these boxes open.
    void show(layout::Expansion expansion);
    void select(const Selection &selection);
    /// Selects something, opens the boxes around it, and asks the graph to centre it once it is drawn.
    void reveal(const Selection &selection);
    /// Whether there is an earlier (`by` is -1) or later (1) selection to go to that still exists.
    bool canGo(int by) const { return visit(by).has_value(); }
    /// Reveals the earlier (-1) or later (1) selection.
    void go(int by);
    void setOpen(const layout::Subject &subject, bool open);
    void toggle(const layout::Subject &subject) { setOpen(subject, !m_expansion.isOpen(subject)); }
    /// Opens all modules of the first `depth` levels and closes the others.
    void setDepth(int depth);
    void openDeeper();
    void closeDeepest();
    /// Closes all boxes that neither contain a selection nor are inside it, and reveals the selection.
    void focusOn(const Selection &selection);
    /// Opens the boxes that contain marked nodes.
    void openMarked();
    void setShowsMap(bool shows);
    /// Returns the categories of operators that the graph leaves out; a node that was revealed is shown nevertheless.
    const std::set<ops::Category> &hiddenCategories() const { return m_hiddenCategories; }
    /// Hides these categories; can be undone.
    void setHiddenCategories(std::set<ops::Category> categories);
    void hideCategory(ops::Category category, bool isHidden);
    /// Records which part of the diagram the graph shows, so that undo can return to it.
    void setPlace(const Place &place) { m_place = place; }

signals:
    void selectionChanged();
    void showsMapChanged();
    void hiddenCategoriesChanged();
    void centreRequested(const cutaway::layout::Subject &subject);
    void placeRequested(const cutaway::views::Navigation::Place &place);

private:
    class Opening;
    enum class Edited { Boxes, Levels, Focus };
    /// The boxes that are to be open, or a function that chooses them from the model that is drawn.
    using Target = std::variant<layout::Expansion,
                                std::function<layout::Expansion(const ir::Graph &drawn, const layout::Outline &)>>;
    void edit(Edited what, const QString &text, Target target, std::optional<layout::Subject> anchor = {});
    void draw(const Target &target, std::optional<layout::Subject> anchor = {});
    std::optional<ir::NodeId> hiddenSelection() const;
    void hide();
    void takeDiagram();
    void drop();
    bool isShown(const Selection &selection) const;
    std::optional<std::size_t> visit(int by) const;
    int openDepth() const;

    Document &m_document;
    Drawing &m_drawing;
    std::optional<Place> m_place;
    ir::FunctionId m_function; ///< the function that the selection is in
    Selection m_selection;
    Visits m_visits;
    bool m_isGoing = false; ///< whether go() is moving through the visits
    layout::Expansion m_expansion;
    std::set<ops::Category> m_hiddenCategories;
    bool m_showsMap = true;
    std::optional<layout::Subject> m_toCentre; ///< the box to centre after the current layout
};

} // namespace cutaway::views
