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

/// The part of the model that the user looks at: the selection, the open boxes, and requests to the graph to show
/// something. The user can undo the opening and closing of boxes.
class Navigation : public QObject {
    Q_OBJECT

public:
    /// The part of the diagram that the graph shows.
    struct Place {
        QPointF middle; ///< the point of the diagram there
        double zoom = 1;
    };

    Navigation(Document &document, Drawing &drawing);

    const Selection &selection() const { return m_selection; }
    /// The node that is selected, or that makes the selected value; nothing for modules, inputs and the like.
    std::optional<ir::NodeId> selectedNode() const;
    /// Returns the function that has a selection: the shown one, or the one before a pass if the pass removed the
    /// selection.
    const ir::Function &functionOf(const Selection &selection) const;
    const ir::Function &selectedFunction() const { return functionOf(m_selection); }
    /// The boxes that are open, or will be when the layout under way is done.
    const layout::Expansion &expansion() const { return m_expansion; }
    /// Whether the graph shows a small map of itself where it does not fit in sight.
    bool showsMap() const { return m_showsMap; }

    /// Draws the function for the first time, with a readable part of it open.
    void start();
    /// Draws the function with these boxes open.
    void show(layout::Expansion expansion);
    void select(const Selection &selection);
    /// Selects something, opens the boxes around it, and asks the graph to centre it once it is drawn.
    void reveal(const Selection &selection);
    /// Whether something was selected before (`by` is -1) or after (1) the selection, and is still there.
    bool canGo(int by) const { return visit(by).has_value(); }
    /// Reveals the selection before or after this one.
    void go(int by);
    void setOpen(const layout::Subject &subject, bool open);
    void toggle(const layout::Subject &subject) { setOpen(subject, !m_expansion.isOpen(subject)); }
    /// Opens all modules of the first `depth` levels and closes the others.
    void setDepth(int depth);
    void openDeeper();
    void closeDeepest();
    /// Closes all boxes that neither enclose a selection nor are inside of it, and reveals the selection.
    void focusOn(const Selection &selection);
    /// Opens the boxes that hold marked nodes.
    void openMarked();
    void setShowsMap(bool shows);
    /// The categories of operators that the graph leaves out, except a node that was revealed.
    const std::set<ops::Category> &hiddenCategories() const { return m_hiddenCategories; }
    /// Sets them; can be undone.
    void setHiddenCategories(std::set<ops::Category> categories);
    void hideCategory(ops::Category category, bool isHidden);
    /// Records where the graph is, so that it can be brought back there.
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
    ir::FunctionId m_function; ///< the function of the selection
    Selection m_selection;
    Visits m_visits;
    bool m_isGoing = false; ///< through them
    layout::Expansion m_expansion;
    std::set<ops::Category> m_hiddenCategories;
    bool m_showsMap = true;
    std::optional<layout::Subject> m_toCentre; ///< after the layout under way
};

} // namespace cutaway::views
