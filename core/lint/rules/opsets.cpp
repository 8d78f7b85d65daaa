// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/lint/rules/families.h"
#include "core/lint/subject.h"
#include "core/ops/onnx_versions.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <ranges>

namespace cutaway::lint {

namespace {

using Opsets = std::map<std::string, std::int64_t, std::less<>>;

std::string_view domainOf(std::string_view dialect) { return dialect == "onnx" ? "ai.onnx" : dialect; }

/// "ai.onnx 17, my.domain 1"
Opsets listedOpsets(std::string_view text)
{
    Opsets opsets;
    for (const auto part : text | std::views::split(std::string_view(", "))) {
        const std::string_view item(part.begin(), part.end());
        const std::size_t space = std::min(item.rfind(' '), item.size());
        std::int64_t version = 0;
        if (std::from_chars(item.data() + std::min(space + 1, item.size()), item.data() + item.size(), version).ec
            == std::errc())
            opsets.emplace(item.substr(0, space), version);
    }
    return opsets;
}

/// Those that the function imports itself, as ONNX's local functions do, else the model's.
Opsets opsetsOf(const Subject &subject)
{
    const std::string own =
        formatted("function {}: opset_import", subject.model().context->text(subject.function().name));
    const auto kept = std::ranges::find(subject.model().attachments, own, &ir::Attachment::name);
    if (kept != subject.model().attachments.end() && kept->text)
        return listedOpsets(*kept->text);
    return {subject.model().opsets.begin(), subject.model().opsets.end()};
}

bool isOnnxFile(const Subject &subject) { return subject.model().format == "onnx"; }

/// Visits the nodes of ONNX's own operators with the opset that they are of, and their version in it if there is one.
template <class Visit>
void forEachStandardNode(Subject &subject, const Visit &visit)
{
    const Opsets opsets = opsetsOf(subject);
    const auto standard = opsets.find("ai.onnx");
    if (!isOnnxFile(subject) || standard == opsets.end())
        return;
    for (const ir::NodeRef &node : subject.nodes())
        if (node.dialect() == "onnx")
            visit(node, standard->second, ops::onnxVersionIn(node.opName(), standard->second));
}

void checkOperators(Subject &subject)
{
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        if (const auto reason = ops::whyNotInOpset(node.opName(), opset))
            subject.report(node, *reason);
        else if (version && version->deprecated)
            subject.report(node,
                           formatted("ONNX has taken out the operator {} with opset {}, and this model is of opset {}",
                                     node.opName(), version->since, opset));
    });
}

void checkForms(Subject &subject)
{
    forEachStandardNode(subject, [&](const ir::NodeRef &node, std::int64_t opset, const ops::OnnxOperator *version) {
        const auto excess = version && !version->deprecated ? ops::excessOf(node, *version) : std::nullopt;
        if (excess)
            subject.report(node,
                           formatted("a {} with {}, which opset {} does not have", node.opName(), *excess, opset));
    });
}

void checkDomains(Subject &subject)
{
    if (!isOnnxFile(subject))
        return;
    const Opsets opsets = opsetsOf(subject);
    std::map<std::string_view, std::pair<ir::NodeId, std::size_t>> missing;
    for (const ir::NodeRef &node : subject.nodes())
        if (const std::string_view domain = domainOf(node.dialect()); !opsets.contains(domain))
            ++missing.try_emplace(domain, node.id(), 0).first->second.second;
    for (const auto &[domain, uses] : missing)
        subject.report(ir::NodeRef(subject.graph(), uses.first),
                       formatted("the model imports no opset of the domain {}, of which it has {} node{}", domain,
                                 uses.second, uses.second == 1 ? "" : "s"));
}

using enum Rule::Asked;
using enum Rule::Scope;
using enum ir::Severity;

constexpr Rule opsetRows[] = {
    {"opset-operator", Error, "An ONNX operator that the model's opset does not have, or no longer.", ByDefault,
     Function, checkOperators},
    {"opset-form", Error,
     "An ONNX node with inputs, outputs or attributes that its operator does not have in this opset.", ByDefault,
     Function, checkForms},
    {"opset-missing", Error, "A domain of operators whose version the ONNX model does not import.", ByDefault, Function,
     checkDomains},
};

} // namespace

std::span<const Rule> opsetRules() { return opsetRows; }

} // namespace cutaway::lint
