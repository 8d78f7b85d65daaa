// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/layout.h"
#include "core/layout/marks.h"
#include "views/parts/latest_work.h"
#include "views/session/document.h"

#include <QObject>
#include <QTimer>
#include <functional>
#include <memory>

namespace cutaway::views {

class Analysing;

/// The diagram of the function that is shown. It is laid out on another thread; the last diagram stays until a newer
/// one is there.
class Drawing : public QObject {
    Q_OBJECT

public:
    /// Decides which boxes are open; called on the thread that lays out, with the graph that is drawn.
    using Choice = std::function<layout::Expansion(const ir::Graph &drawn, const layout::Outline &outline)>;

    Drawing(const Document &document, const Analysing &analysing);

    /// Null until the first layout is there.
    const std::shared_ptr<const layout::Diagram> &diagram() const { return m_drawn.diagram; }
    /// Returns diagram() with the texts of the state before; diagram() itself while no states are compared.
    const std::shared_ptr<const layout::Diagram> &diagramBefore() const
    {
        return m_drawn.before ? m_drawn.before : m_drawn.diagram;
    }
    /// Whether a diagram is diagram() or diagramBefore(), so that marks are of its boxes.
    bool isShown(const layout::Diagram &diagram) const
    {
        return &diagram == m_drawn.diagram.get() || &diagram == m_drawn.before.get();
    }
    /// The function that the diagram shows: while states are compared, with nodes of the other states.
    const ir::Function &function() const { return drawnModel().at(m_document.functionId()); }
    /// The parts of that function, those in closed boxes included. Null until the first layout is there.
    const std::shared_ptr<const layout::Outline> &drawnOutline() const { return m_drawn.outline; }
    /// The outline with the parts that are found in the graph also where the diagram shows all nodes side by side.
    const std::shared_ptr<const layout::Outline> &namedOutline() const;
    /// The boxes that are open in the diagram.
    const layout::Expansion &expansion() const { return m_drawn.expansion; }
    /// Returns the marks of the diagram's boxes and edges for marks of nodes, such as the hits of a search or the
    /// differences of a comparison.
    layout::Marks marksOf(const layout::NodeMarks &nodes) const;
    /// The marks of what is new, gone or changed in the diagram; empty while nothing is compared.
    const layout::Marks &marks() const { return m_drawn.marks; }
    const std::shared_ptr<const layout::NodeMarks> &nodeMarks() const { return m_nodeMarks; }
    /// The box whose opening or closing asked for the diagram: it should keep its position on the screen.
    const std::optional<layout::Subject> &anchor() const { return m_anchor; }
    bool isBusy() const { return m_work.isBusy() || m_patience.isActive(); }
    /// Returns the boxes that must be open to see the box of a subject, outermost first. Views ask about the same
    /// subject one after another: the last answer is kept.
    const std::vector<layout::Subject> &enclosing(const layout::Subject &subject) const;

    /// Lays out once the shown model is analysed, or without figures if the analysis takes long.
    void drawAnalysed(Choice choice);
    void draw(Choice choice, std::optional<layout::Subject> anchor = {});
    /// Sets the nodes that this and later diagrams leave out.
    void setHidden(layout::Hidden hidden);
    /// Stops the layout and keeps the present diagram.
    void cancel();
    /// Sets marks of another comparison than that of states. `fadesOthers`: everything without a mark is drawn pale.
    void setNodeMarks(std::shared_ptr<const layout::NodeMarks> marks, bool fadesOthers = false);
    bool fadesUnmarked() const { return m_fadesUnmarked; }

signals:
    void diagramChanged();
    void marksChanged();
    void drawn(); ///< after diagramChanged() and marksChanged()
    void cancelled();
    void busyChanged();

private:
    /// A diagram with what it was made of.
    struct Drawn {
        SharedModel model;                              ///< null: nothing is drawn yet
        std::shared_ptr<const layout::Outline> outline; ///< the outline of the drawn function
        std::shared_ptr<const layout::NodeMarks> nodeMarks;
        layout::Expansion expansion;
        std::shared_ptr<const layout::Diagram> diagram;
        std::shared_ptr<const layout::Diagram> before; ///< with the texts of the state before; null: there is none
        layout::Marks marks;
    };

    const ir::Model &drawnModel() const { return m_drawn.model ? *m_drawn.model : m_document.file(); }
    const layout::Outline &outline() const;
    void reset();
    void layOut();
    void show(Drawn drawn);
    void mark();

    const Document &m_document;
    const Analysing &m_analysing;
    layout::Options m_options;
    Choice m_choice;           ///< as last asked for
    ir::FunctionId m_function; ///< the function that m_drawn shows
    Drawn m_drawn;
    std::shared_ptr<const layout::NodeMarks> m_nodeMarks; ///< as they should be shown
    bool m_fadesUnmarked = false;
    std::optional<layout::Subject> m_anchor;
    mutable std::optional<std::pair<layout::Subject, std::vector<layout::Subject>>> m_enclosing;
    mutable std::shared_ptr<const layout::Outline> m_named;   ///< see namedOutline(); null: not asked for yet
    mutable std::shared_ptr<const layout::Outline> m_outline; ///< while nothing is drawn and one asks
    QTimer m_patience;                                        ///< runs while a layout waits for the first figures
    LatestWork m_work;                                        ///< last: it ends first
};

} // namespace cutaway::views
