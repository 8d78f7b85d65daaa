// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/material.h"

namespace cutaway::report {

namespace {

std::optional<analysis::Roofline> estimateOf(const Subject &subject, const analysis::Analysis &analysis,
                                             const analysis::Counts &counts)
{
    const analysis::Device *device = subject.additions.device;
    if (!device)
        return std::nullopt;
    return roofline(subject.model, analysis, *device, static_cast<double>(counts.storageBytes));
}

} // namespace

Material::Material(const Subject &about)
    : subject(about),
      analysis(analysis::analyse(about.model, about.function, about.given)),
      counts(analysis::countTensors(about.model)),
      estimate(estimateOf(about, analysis, counts)),
      tables(costTables(about.model, analysis, estimate ? &*estimate : nullptr)),
      example(request::exampleSizes(about.model, analysis))
{
}

} // namespace cutaway::report
