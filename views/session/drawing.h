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

    /// Returns the diagram; null until the first layout is done.
    const std::shared_ptr<const layout::Diagram> &diagram() const { return m_drawn.diagram; }
    /// Returns diagram() with the texts of the state before; diagram() itself while no states are compared.
    const std::shared_ptr<const layout::Diagram> &diagramBefore() const
    {
        return m_drawn.before ? m_drawn.before : m_drawn.diagram;
    }
    /// Whether a diagram is diagram() or diagramBefore(); only then do the marks belong to its boxes.
    bool isShown(const layout::Diagram &diagram) const
    {
        return &diagram == m_drawn.diagram.get() || &diagram == m_drawn.before.get();
    }
    /// Returns the function that the diagram shows; while states are compared, it also has nodes of the other states.
    const ir::Function &function() const { return drawnModel().at(m_document.functionId()); }
    /// Returns the parts of that function, those in closed boxes included; null until the first layout is done.
    const std::shared_ptr<const layout::Outline> &drawnOutline() const { return m_drawn.outline; }
    /// Returns the outline with the parts found in the graph, also if the diagram shows all nodes side by side.
    const std::shared_ptr<const layout::Outline> &namedOutline() const;
    /// Returns the boxes that are open in the diagram.
    const layout::Expansion &expansion() const { return m_drawn.expansion; }
    /// Returns the marks of the diagram's boxes and edges that follow from marks of nodes, such as the matches of a
    /// search or the differences of a comparison.
    layout::Marks marksOf(const layout::NodeMarks &nodes) const;
    /// Returns the marks of nodes that are new, gone or changed; empty while nothing is compared.
    const layout::Marks &marks() const { return m_drawn.marks; }
    const std::shared_ptr<const layout::NodeMarks> &nodeMarks() const { return m_nodeMarks; }
    /// Returns the box that was opened or closed to get this diagram, and should stay in place on the screen, if any.
    const std::optional<layout::Subject> &anchor() const { return m_anchor; }
    bool isBusy() const { return m_work.isBusy() || m_patience.isActive(); }
    /// Returns the boxes that must be open to see the box of a subject, outermost first. The last answer is kept, since
    /// views ask about the same subject one after another.
    const std::vector<layout::Subject> &enclosing(const layout::Subject &subject) const;

    /// Lays out once the shown model is analysed, or without figures if the analysis takes long.
    void drawAnalysed(Choice choice);
    void draw(Choice choice, std::optional<layout::Subject> anchor = {});
    /// Sets the nodes that this and later diagrams leave out.
    void setHidden(layout::Hidden hidden);
    /// Stops the layout and keeps the present diagram.
    void cancel();
    /// Sets marks of another comparison than that of states. With `fadesOthers`, all without a mark is faded.
    void setNodeMarks(std::shared_ptr<const layout::NodeMarks> marks, bool fadesOthers = false);
    bool fadesUnmarked() const { return m_fadesUnmarked; }

signals:
    void diagramChanged();
    void marksChanged();
    void drawn(); ///< emitted after diagramChanged() and marksChanged()
    void cancelled();
    void busyChanged();

private:
    /// A diagram and its inputs.
    struct Drawn {
        SharedModel model;                              ///< null: nothing is drawn yet
        std::shared_ptr<const layout::Outline> outline; ///< the outline of the drawn function
        std::shared_ptr<const layout::NodeMarks> nodeMarks;
        layout::Expansion expansion;
        std::shared_ptr<const layout::Diagram> diagram;
        /// The diagram with the texts of the state before; null if no states are compared.
        std::shared_ptr<const layout::Diagram> before;
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
    Choice m_choice;           ///< the last requested choice
    ir::FunctionId m_function; ///< the function that m_drawn shows
    Drawn m_drawn;
    std::shared_ptr<const layout::NodeMarks> m_nodeMarks; ///< the requested marks
    bool m_fadesUnmarked = false;
    std::optional<layout::Subject> m_anchor;
    mutable std::optional<std::pair<layout::Subject, std::vector<layout::Subject>>> m_enclosing;
    mutable std::shared_ptr<const layout::Outline> m_named;   ///< see namedOutline(); null: not asked for yet
    mutable std::shared_ptr<const layout::Outline> m_outline; ///< computed when first asked for, while nothing is drawn
    QTimer m_patience;                                        ///< runs while a layout waits for the first figures
    LatestWork m_work;                                        ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
