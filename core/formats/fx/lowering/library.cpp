// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

#include "core/formats/fx/lowering/evaluator.h"
#include "core/formats/fx/read/parser.h"

#include <cassert>
#include <map>
#include <ranges>

namespace cutaway::formats::fx {

namespace {

/// Returns the names that a definition gives: "torch.relu" and "torch.relu_" for `def torch.relu|relu_()`.
std::vector<std::string> namesOf(const Function &function)
{
    const std::string folder(function.name.substr(0, function.name.rfind('.') + 1));
    std::vector<std::string> names;
    for (const auto name : function.name.substr(folder.size()) | std::views::split('|'))
        names.push_back(folder + std::string(std::string_view(name)));
    return names;
}

/// The library, parsed once.
struct ParsedLibrary {
    std::array<Program, 4> programs;
    std::map<std::string, LibraryFunction, std::less<>> functions;

    ParsedLibrary()
    {
        const std::string_view sources[] = {libraryOfModules, libraryOfQuantizedModules, libraryOfFunctions,
                                            libraryOfTensors};
        for (std::size_t i = 0; i < programs.size(); ++i) {
            auto parsed = parse(sources[i]);
            assert(parsed && "the library is code that the parser reads");
            programs[i] = std::move(*parsed);
            for (const Function &function : programs[i].functions)
                for (const std::string &name : namesOf(function))
                    functions.emplace(name, LibraryFunction{&programs[i], &function});
        }
    }
};

} // namespace

std::optional<LibraryFunction> libraryFunction(std::string_view name)
{
    static const ParsedLibrary library;
    const auto found = library.functions.find(name);
    return found == library.functions.end() ? std::nullopt : std::optional(found->second);
}

Term runLibrary(GraphLowering &graph, const LibraryFunction &called, const GivenArguments &given)
{
    Evaluator evaluator(graph, *called.program, nullptr);
    evaluator.bindParameters(*called.function, given, 0);
    for (const StatementId id : called.function->body) {
        const Statement &statement = called.program->at(id);
        if (const auto *assign = std::get_if<Assign>(&statement.kind))
            evaluator.bind(namesOf(*called.program, *assign)[0], evaluator.evaluate(*assign->value));
        else if (const auto *result = std::get_if<Return>(&statement.kind))
            return evaluator.evaluate(*result->value);
        else if (const auto *check = std::get_if<Evaluate>(&statement.kind))
            evaluator.evaluate(check->value);
    }
    throw NotKnown("it gives nothing");
}

} // namespace cutaway::formats::fx
