// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/query/match.h"
#include "core/query/query.h"
#include "core/survey/database/database.h"

namespace cutaway::survey {

/// Whether a query finds a model.
struct ModelAnswer {
    query::Match match = query::Match::No;
    /// Whether the database lacks what the query asks about nodes, so that the file has to be read.
    bool needsFile = false;
    /// The properties that are not known of the model and that the answer depends on.
    std::vector<query::Property> notKnown = {};
};

/// Answers a query from what the database has of a model and, if its file was asked, from the nodes that were found:
/// one result for each Has. Queries that ask only for operators are answered without the file. A model that could not
/// be read has a path, a size and a state.
ModelAnswer answerTo(const query::Expression &query, const Entry &model,
                     const std::vector<NodesFound> *nodesFound = nullptr);

/// Returns the figures of models that the query compares, each once.
std::vector<query::Property> modelFiguresIn(const query::Expression &query);
/// Whether the query asks for modules, which entries have only if they are asked for.
bool asksForModules(const query::Expression &query);

/// Returns "3 models have no known FLOPs".
std::string notKnownText(query::Property property, std::size_t models);

} // namespace cutaway::survey
