// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/layout/knowledge.h"

#include "core/base/text.h"
#include "core/layout/describe.h"

#include <memory>

namespace cutaway::layout {

std::string describeKnown(const ir::Model &model, const analysis::Analysis &analysis,
                          const analysis::RecordedSizes &sizes, ir::ValueId value)
{
    const ir::TypeId type = model.at(analysis.function).graph.at(value).type;
    const ops::Fact &fact = analysis.shapes.of(value);
    if (const auto known = analysis::knownTensor(sizes, model.context->at(type), &fact))
        return describeTensor(known->dtype, known->shape);
    if (fact.as<ops::AnyFact>() || ops::isObject(fact))
        return describeType(*model.context, type);
    const std::string text = sanitized(ops::print(fact));
    constexpr std::size_t longest = 64;
    return text.size() <= longest ? text : describeType(*model.context, type);
}

Knowledge knowledgeOf(const ir::Model &model, const analysis::Analysis &analysis)
{
    auto sizes = std::make_shared<const analysis::RecordedSizes>(model, analysis.given.bindings);
    return {[&model, &analysis, sizes = std::move(sizes)](ir::ValueId value) {
                return describeKnown(model, analysis, *sizes, value);
            },
            [&analysis](ir::NodeId node) { return analysis.costOf(node).flops; }};
}

} // namespace cutaway::layout
