// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/lint/finding_place.h"

#include "core/ir/names.h"

namespace cutaway::report {

std::string FindingPlace::source() const
{
    return sourceLine == 0 ? sourceFile : sourceFile + ":" + std::to_string(sourceLine);
}

std::string FindingPlace::qualifiedName() const
{
    std::string full = function;
    if (name.starts_with('/')) // the name of an ONNX node is a path that begins with the scope
        return full + name;
    for (const std::string &part : {scope, name})
        if (!part.empty())
            full += (full.empty() ? "" : "/") + part;
    return full;
}

FindingPlace placeOf(const ir::Model &model, const lint::Finding &finding)
{
    FindingPlace place;
    if (!finding.function)
        return place;
    const ir::Function &function = model.at(*finding.function);
    place.function = model.context->text(function.name);
    if (finding.value)
        place.name = ir::nameOf(ir::ValueRef(function.graph, *finding.value));
    if (!finding.node)
        return place;
    const ir::NodeRef node(function.graph, *finding.node);
    place.node = node;
    place.name = ir::nameOf(node);
    place.op = node.fullName();
    place.scope = model.context->text(node.scope().path);
    place.sourceFile = model.context->text(node.location().file);
    place.sourceLine = place.sourceFile.empty() ? 0 : node.location().line;
    return place;
}

} // namespace cutaway::report
