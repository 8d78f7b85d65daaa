// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ir/model.h"

#include <memory>

namespace cutaway::analysis {
struct ModuleSums;
}

namespace cutaway::views {

class Analysing;
class Annotating;
class Bookmarks;
class Comparing;
class Document;
class Drawing;
class Navigation;
class Requests;
class Running;
class Searching;
class SourceFolders;
class Stepping;

/// The state of an open document that all views share. It has several parts, and each view uses those that it needs.
/// Views pass the user's requests to a part and follow its signals; no view knows another one.
class Session {
public:
    /// `sums` are those of the model's first function, if they are known.
    explicit Session(std::shared_ptr<const ir::Model> model,
                     std::shared_ptr<const analysis::ModuleSums> sums = nullptr);
    ~Session();

    /// Analyses the function and draws it for the first time.
    void start();

    Document &document() { return *m_document; }
    const Document &document() const { return *m_document; }
    Running &running() { return *m_running; }
    const Running &running() const { return *m_running; }
    Annotating &annotating() { return *m_annotating; }
    const Annotating &annotating() const { return *m_annotating; }
    Analysing &analysing() { return *m_analysing; }
    const Analysing &analysing() const { return *m_analysing; }
    Drawing &drawing() { return *m_drawing; }
    const Drawing &drawing() const { return *m_drawing; }
    Navigation &navigation() { return *m_navigation; }
    const Navigation &navigation() const { return *m_navigation; }
    Requests &requests() const { return *m_requests; }
    Searching &searching() { return *m_searching; }
    const Searching &searching() const { return *m_searching; }
    Bookmarks &bookmarks() { return *m_bookmarks; }
    const Bookmarks &bookmarks() const { return *m_bookmarks; }
    Stepping &stepping() { return *m_stepping; }
    const Stepping &stepping() const { return *m_stepping; }
    Comparing &comparing() { return *m_comparing; }
    const Comparing &comparing() const { return *m_comparing; }
    SourceFolders &sourceFolders() { return *m_sourceFolders; }

private:
    // Each part refers only to those declared before it.
    std::unique_ptr<Document> m_document;
    std::unique_ptr<Running> m_running;
    std::unique_ptr<Annotating> m_annotating;
    std::unique_ptr<Analysing> m_analysing;
    std::unique_ptr<Drawing> m_drawing;
    std::unique_ptr<Navigation> m_navigation;
    std::unique_ptr<Requests> m_requests;
    std::unique_ptr<Bookmarks> m_bookmarks;
    std::unique_ptr<Searching> m_searching;
    std::unique_ptr<Stepping> m_stepping;
    std::unique_ptr<Comparing> m_comparing;
    std::unique_ptr<SourceFolders> m_sourceFolders;
};

} // namespace cutaway::views
