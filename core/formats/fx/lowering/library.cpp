// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/fx/lowering/library.h"

#include "core/formats/fx/lowering/evaluator.h"
#include "core/formats/fx/read/parser.h"

#include <cassert>

namespace cutaway::formats::fx {

namespace {

/// The library, parsed once.
struct ParsedLibrary {
    std::array<Program, 4> programs;
    std::unordered_map<std::string_view, LibraryFunction> functions;

    ParsedLibrary()
    {
        const std::string_view sources[] = {libraryOfModules, libraryOfQuantizedModules, libraryOfFunctions,
                                            libraryOfTensors};
        for (std::size_t i = 0; i < programs.size(); ++i) {
            auto parsed = parse(sources[i]);
            assert(parsed && "the library is code that the parser reads");
            programs[i] = std::move(*parsed);
            for (const Function &function : programs[i].functions)
                for (const std::string &name : function.names)
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
    for (const Statement &statement : called.function->body) {
        if (const auto *assign = std::get_if<Assign>(&statement.kind))
            evaluator.bind(assign->targets[0], evaluator.evaluate(assign->value));
        else if (const auto *result = std::get_if<Return>(&statement.kind))
            return evaluator.evaluate(*result->value);
        else if (const auto *check = std::get_if<Evaluate>(&statement.kind))
            evaluator.evaluate(check->value);
    }
    throw NotKnown("it gives nothing");
}

} // namespace cutaway::formats::fx
