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

/// The reason why a text is not a query, and the position of the mistake, in characters of the QString.
struct QueryMistake {
    QString message;
    int at = 0, length = 1;
};
/// Returns the query, or the mistake in it.
std::expected<query::Expression, QueryMistake> parseQuery(const QString &text,
                                                          query::Subject subject = query::Subject::Node);

/// The text that the user searches for in the shown function, and its matches. Queries are as docs/query.md describes
/// them; words alone also find modules, inputs and weights.
class Searching : public QObject {
    Q_OBJECT

public:
    Searching(const Document &document, const Annotating &annotating, const Analysing &analysing,
              const Drawing &drawing, Navigation &navigation);

    const QString &text() const { return m_text; }
    const std::optional<QueryMistake> &mistake() const { return m_mistake; }
    const std::vector<Selection> &hits() const { return m_hits; }
    /// Returns a note on the missing figures that would decide whether further nodes match; "" if none are missing.
    const QString &note() const { return m_note; }
    /// Whether the answer needs figures or diagnostics that are still being computed.
    bool isWaiting() const { return m_isWaiting; }
    /// Returns the matching nodes as marks of the kind Changed; null while there are none.
    const std::shared_ptr<const layout::NodeMarks> &nodeMarks() const { return m_nodeMarks; }
    /// Returns the index of the match that was revealed last.
    std::optional<std::size_t> current() const { return m_current; }
    /// Whether everything that does not match is faded in the graph.
    bool fadesOthers() const { return m_fadesOthers; }
    /// Returns the node that the user has chosen as the start of paths.
    std::optional<ir::NodeId> pathStart() const { return m_pathStart; }
    QString nameOf(ir::NodeId node) const;
    /// Returns a note on an answer: "3 nodes have no known FLOPs; nothing is named x".
    static QString noteOf(const query::Answer &answer);

    /// Returns the answer to a query; nothing until figures that it needs are computed: ask again after knownChanged().
    std::optional<query::Answer> answerTo(const query::Expression &query);

    void setText(const QString &text);
    /// Sets the text, and asks for the list of matches to be shown.
    void find(const QString &text);
    /// Reveals the match with this index.
    void setCurrent(std::size_t hit);
    /// Reveals the next (1) or the previous (-1) match; after the last one comes the first.
    void step(int by);
    void setFadesOthers(bool fades);
    void findUpstream(ir::NodeId node);
    void findDownstream(ir::NodeId node);
    void setPathStart(ir::NodeId node);
    /// Finds the nodes on paths from pathStart() to the node.
    void findPathsTo(ir::NodeId node);

signals:
    void textChanged();
    void hitsChanged(); ///< emitted also when the mistake, the note or isWaiting() has changed
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
    bool m_needsFigures = false; ///< whether the text is a query for more than words
    bool m_fadesOthers = false;
    std::shared_ptr<const layout::NodeMarks> m_nodeMarks;
    std::optional<std::size_t> m_current;
    std::optional<ir::NodeId> m_pathStart;
    std::shared_ptr<const Figures> m_diagnosed; ///< the figures that m_diagnostics are computed from, or will be
    std::optional<std::vector<ir::Diagnostic>> m_diagnostics;
    std::shared_ptr<const layout::NodeMarks> m_changes; ///< the marks of the drawing that the last search used
    LatestWork m_work;                                  ///< declared last, so that it ends before what it uses
};

} // namespace cutaway::views
