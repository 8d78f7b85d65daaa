// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/counts.h"
#include "core/report/cost_tables.h"
#include "core/report/inspect.h"
#include "core/request/example_sizes.h"

namespace cutaway::report {

/// What a report is about: a function of a model, what is fixed, and what is asked besides. It must outlive the report.
struct Subject {
    const ir::Model &model;
    ir::FunctionId function;
    const analysis::Given &given;
    Additions additions;
};

/// All that the sections of a report are made from, found once.
struct Material {
    explicit Material(const Subject &subject);

    const ir::Graph &graph() const { return subject.model.at(subject.function).graph; }

    Subject subject;
    analysis::Analysis analysis;
    analysis::Counts counts;
    std::optional<analysis::Roofline> estimate; ///< where a device is asked for
    CostTables tables;
    request::ExampleSizes example;
};

} // namespace cutaway::report
