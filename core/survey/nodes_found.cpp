// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/nodes_found.h"

#include "core/analysis/counts.h"
#include "core/analysis/known_devices.h"
#include "core/base/result.h"
#include "core/lint/lint.h"
#include "core/query/answer.h"
#include "core/survey/opened.h"

#include <algorithm>

namespace cutaway::survey {

namespace {

void addNodeQueries(const query::Expression &query, std::vector<const query::Expression *> &all)
{
    if (query.kind == query::Expression::Kind::Has)
        return all.push_back(&query.operands.front());
    for (const query::Expression &operand : query.operands)
        addNodeQueries(operand, all);
}

void addTo(NodesFound &sum, const query::Answer &answer)
{
    sum.found += std::ssize(answer.nodes);
    for (const query::NotKnown &notKnown : answer.notKnown)
        if (const std::string name(query::rowOf(notKnown.property).name); !std::ranges::contains(sum.notKnown, name))
            sum.notKnown.push_back(name);
}

/// Answers all parts of the query for one function.
class FunctionAsked {
public:
    FunctionAsked(const Opened &opened, ir::FunctionId function, const analysis::Device *device)
        : m_opened(opened),
          m_analysis(analysis::analyse(opened.model, function,
                                       function == ir::FunctionId{0} ? opened.given : analysis::Given()))
    {
        if (device)
            m_roofline = analysis::roofline(opened.model, m_analysis, *device,
                                            static_cast<double>(analysis::countTensors(opened.model).storageBytes));
    }

    query::Answer answerTo(const query::Expression &query)
    {
        if (m_diagnostics.empty() && query::uses(query, query::Property::Diagnostic))
            addDiagnostics();
        return query::answerTo(query,
                               {.model = m_opened.model,
                                .analysis = m_analysis,
                                .roofline = m_roofline ? &*m_roofline : nullptr,
                                .diagnostics = m_diagnostics});
    }

private:
    void addDiagnostics()
    {
        m_diagnostics = m_opened.model.diagnostics;
        std::ranges::move(analysis::findings(m_analysis), std::back_inserter(m_diagnostics));
        std::ranges::move(lint::diagnostics(m_opened.model, m_analysis, lint::Origin::File),
                          std::back_inserter(m_diagnostics));
    }

    const Opened &m_opened;
    analysis::Analysis m_analysis;
    std::optional<analysis::Roofline> m_roofline;
    std::vector<ir::Diagnostic> m_diagnostics;
};

} // namespace

std::vector<const query::Expression *> nodeQueriesOf(const query::Expression &query)
{
    std::vector<const query::Expression *> all;
    addNodeQueries(query, all);
    return all;
}

Result<std::vector<NodesFound>> nodesFoundIn(const std::string &path, const Request &request, const NodeQuery &asked,
                                             const OpenModel &open)
{
    const auto query = query::parse(asked.text, query::Subject::Model);
    if (!query)
        return usageError("the query: " + query::printMistake(asked.text, query.error()));
    std::optional<analysis::Device> device;
    if (!request.device.empty()) {
        CUTAWAY_TRY(device, analysis::findDevice(request.device));
    }
    CUTAWAY_TRY(const auto opened, openFor(path, request, open));
    const std::vector<const query::Expression *> parts = nodeQueriesOf(*query);
    std::vector<NodesFound> found(parts.size());
    for (const ir::FunctionId function : lint::mainFunctions(opened.model)) {
        FunctionAsked asking(opened, function, device ? &*device : nullptr);
        for (std::size_t i = 0; i < parts.size(); ++i)
            addTo(found[i], asking.answerTo(*parts[i]));
    }
    return found;
}

} // namespace cutaway::survey
