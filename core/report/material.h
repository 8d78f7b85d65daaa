// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/counts.h"
#include "core/report/cost_tables.h"
#include "core/report/inspect.h"
#include "core/request/example_sizes.h"

namespace cutaway::report {

/// The subject of a report: a function of a model, the given inputs, and the options. It must outlive the report.
struct Subject {
    const ir::Model &model;
    ir::FunctionId function;
    const analysis::Given &given;
    Additions additions;
};

/// The data of all sections of a report, computed once.
struct Material {
    explicit Material(const Subject &subject);

    const ir::Graph &graph() const { return subject.model.at(subject.function).graph; }

    Subject subject;
    analysis::Analysis analysis;
    analysis::Counts counts;
    std::optional<analysis::Roofline> estimate; ///< the roofline; nothing if the report has no device
    CostTables tables;
    request::ExampleSizes example;
};

} // namespace cutaway::report
