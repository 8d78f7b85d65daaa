// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/convert/unknown_objects.h"

#include "core/base/formatted.h"
#include "core/ir/context.h"
#include "core/ops/operator.h"
#include "core/ops/program/control_flow.h"

namespace cutaway::convert {

namespace {

std::string_view textAt(const ir::NodeRef &node, std::size_t position)
{
    const auto *text = position < node->arguments.size() ? node->arguments[position].value.as<ir::String>() : nullptr;
    return text ? node.graph().context().text(text->text) : std::string_view();
}

} // namespace

std::optional<std::string> whyUnknownObject(const ir::NodeRef &node)
{
    const ops::OperatorKind kind = ops::kindOf(node);
    if (kind == ops::kind::callMethod)
        return formatted("of which object '{}' is called is known only when the model runs", textAt(node, 0));
    if (kind == ops::kind::getAttribute)
        return formatted("what the attribute '{}' holds is known only when the model runs", textAt(node, 1));
    if (kind == ops::kind::itemOfModules)
        return "which of the modules it is, is known only when the model runs";
    if (node.dialect() == "prepacked" && node.opName().ends_with("_run"))
        return "what is packed into its weight is not in the file";
    return std::nullopt;
}

} // namespace cutaway::convert
