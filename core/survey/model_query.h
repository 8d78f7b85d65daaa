// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/match.h"
#include "core/query/query.h"
#include "core/survey/database/database.h"

namespace cutaway::survey {

/// Whether a model is what a query asks for.
struct ModelAnswer {
    query::Match match = query::Match::No;
    /// The database does not tell what is asked of nodes: the file does.
    bool needsFile = false;
    /// What is not known of it and would be the answer.
    std::vector<query::Property> notKnown = {};
};

/// From what the database has of a model and, if its file was asked, from what nodes were found: for each Has a result.
/// Operators alone are answered without the file. What could not be read has a path, a size and a state.
ModelAnswer answerTo(const query::Expression &query, const Entry &model,
                     const std::vector<NodesFound> *nodesFound = nullptr);

/// The figures of models that it compares, each once.
std::vector<query::Property> modelFiguresIn(const query::Expression &query);
/// Whether it asks for modules, which entries have if they are asked for.
bool asksForModules(const query::Expression &query);

/// "3 models have no known FLOPs"
std::string notKnownText(query::Property property, std::size_t models);

} // namespace cutaway::survey
