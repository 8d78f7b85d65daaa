// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/layout/marks.h"
#include "core/query/answer.h"
#include "views/parts/latest_work.h"
#include "views/session/selection.h"

#include <QString>

namespace cutaway::views {

class Analysing;
class Annotating;
class Document;
class Drawing;
class Figures;
class Navigation;

/// The position of the mistake in a text that is no query, and the reason; counted in letters of a QString.
struct QueryMistake {
    QString message;
    int at = 0, length = 1;
};
/// Returns the query, or its mistake.
std::expected<query::Expression, QueryMistake> parseQuery(const QString &text,
                                                          query::Subject subject = query::Subject::Node);

/// The text that the user looks for in the function that is shown, and its hits: queries as docs/query.md describes
/// them. Words alone find modules, inputs and weights, too.
class Searching : public QObject {
    Q_OBJECT

public:
    Searching(const Document &document, const Annotating &annotating, const Analysing &analysing,
              const Drawing &drawing, Navigation &navigation);

    const QString &text() const { return m_text; }
    const std::optional<QueryMistake> &mistake() const { return m_mistake; }
    const std::vector<Selection> &hits() const { return m_hits; }
    /// A note on the figures that are missing to decide whether further nodes are hits; "" if none are.
    const QString &note() const { return m_note; }
    /// Whether the answer needs figures or diagnostics that are still computed.
    bool isWaiting() const { return m_isWaiting; }
    /// The nodes among the hits, as marks of the kind Changed; null while there are none.
    const std::shared_ptr<const layout::NodeMarks> &nodeMarks() const { return m_nodeMarks; }
    /// The hit that was shown last.
    std::optional<std::size_t> current() const { return m_current; }
    /// Whether everything that is no hit fades in the graph.
    bool fadesOthers() const { return m_fadesOthers; }
    /// The node that paths start at.
    std::optional<ir::NodeId> pathStart() const { return m_pathStart; }
    QString nameOf(ir::NodeId node) const;
    /// "3 nodes have no known FLOPs; nothing is named x"
    static QString noteOf(const query::Answer &answer);

    /// Returns nothing while figures that the query needs are still computed: knownChanged() tells when to ask again.
    std::optional<query::Answer> answerTo(const query::Expression &query);

    void setText(const QString &text);
    /// Sets the text, and asks for the list of hits to be shown.
    void find(const QString &text);
    /// Reveals a hit.
    void setCurrent(std::size_t hit);
    /// Reveals the next hit (1) or the one before (-1), round and round.
    void step(int by);
    void setFadesOthers(bool fades);
    void findUpstream(ir::NodeId node);
    void findDownstream(ir::NodeId node);
    void setPathStart(ir::NodeId node);
    /// Finds the nodes on paths from pathStart() to the node.
    void findPathsTo(ir::NodeId node);

signals:
    void textChanged();
    void hitsChanged(); ///< also the mistake, the note and what is waited for
    void currentChanged();
    void knownChanged();
    void fadingChanged();
    void pathStartChanged();
    void listRequested();

private:
    void drop();
    void run();
    void rerun();
    void take(const query::Answer &answer, const QString &example);
    QString exampleNote(const query::Expression &query) const;
    void markNodes();
    void findDiagnostics(const std::shared_ptr<const Figures> &figures);
    std::string queryName(ir::NodeId node) const;

    const Document &m_document;
    const Annotating &m_annotating;
    const Analysing &m_analysing;
    const Drawing &m_drawing;
    Navigation &m_navigation;
    QString m_text;
    std::optional<QueryMistake> m_mistake;
    std::vector<Selection> m_hits;
    QString m_note;
    bool m_isWaiting = false;
    bool m_needsFigures = false; ///< the text asks for more than words
    bool m_fadesOthers = false;
    std::shared_ptr<const layout::NodeMarks> m_nodeMarks;
    std::optional<std::size_t> m_current;
    std::optional<ir::NodeId> m_pathStart;
    std::shared_ptr<const Figures> m_diagnosed; ///< the figures that m_diagnostics belong to, or will
    std::optional<std::vector<ir::Diagnostic>> m_diagnostics;
    std::shared_ptr<const layout::NodeMarks> m_changes; ///< the drawing's marks when it was asked last
    LatestWork m_work;                                  ///< last: it ends first
};

} // namespace cutaway::views
