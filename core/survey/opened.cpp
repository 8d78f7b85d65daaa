// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/survey/opened.h"

#include "core/base/result.h"
#include "core/request/given.h"

#include <algorithm>

namespace cutaway::survey {

namespace {

/// Whether the model has one of the symbols in a text such as "s0=8", which may bind several, separated by commas.
bool hasSymbol(const ir::Model &model, std::string_view binding)
{
    const std::string_view name = binding.substr(0, binding.find('='));
    return std::ranges::contains(model.symbols, name, &ir::Symbol::name);
}

/// Returns the request with only those bindings and inputs that this model has.
Request fitting(const ir::Model &model, const ir::Function &function, const Request &request)
{
    Request own = request;
    own.bindings.clear();
    own.inputs.clear();
    for (const std::string &text : request.bindings)
        for (std::string_view rest = text; !rest.empty();) {
            const std::size_t comma = std::min(rest.find(','), rest.size());
            if (hasSymbol(model, rest.substr(0, comma)))
                own.bindings.emplace_back(rest.substr(0, comma));
            rest.remove_prefix(std::min(comma + 1, rest.size()));
        }
    for (const std::string &text : request.inputs) {
        const std::string name = text.substr(0, text.find_first_of("=."));
        const auto isIt = [&](const ir::FunctionInput &input) { return model.context->text(input.name) == name; };
        if (std::ranges::any_of(function.inputs, isIt))
            own.inputs.push_back(text);
    }
    return own;
}

} // namespace

Result<Opened> openFor(const std::string &path, const Request &request, const OpenModel &open)
{
    CUTAWAY_TRY(auto model, open(path));
    if (model.functions.empty())
        return unreadable("the file has no graph");
    Request own = fitting(model, model.at(ir::FunctionId{0}), request);
    CUTAWAY_TRY(const auto given, request::readGiven(model, ir::FunctionId{0}, own.bindings, own.inputs));
    return Opened{std::move(model), std::move(own), given.withoutTensors()};
}

} // namespace cutaway::survey
