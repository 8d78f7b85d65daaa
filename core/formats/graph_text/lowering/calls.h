// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/graph_text/lowering/python_functions.h"
#include "core/formats/graph_text/lowering/reading.h"
#include "core/ir/graph.h"
#include "core/ops/schemas/overload.h"

#include <map>
#include <optional>

namespace cutaway::formats::graph_text {

/// The arguments of a printed call.
struct GivenArguments {
    std::vector<ir::Operand> positional;
    std::vector<std::pair<std::string, ir::Operand>> named;
};

/// The operator, arguments and result types that a node gets for a printed call.
struct Callee {
    ir::OpId op;
    std::vector<ir::Argument> arguments;
    std::optional<std::vector<ir::TypeId>> results; ///< the types of the results; nothing if their number is not known
};

/// Finds the operators that printed calls name. Python's functions of torch and methods of tensors become ATen's
/// operators of the same name, if one accepts these arguments; the overload follows from the types of the arguments.
/// Every other call keeps its own name, "torch.nn.functional::interpolate".
class Calls {
public:
    /// `graph` is the one that holds the values in the arguments.
    Calls(Reading &reading, const ir::Graph &graph) : m_reading(reading), m_graph(graph) { }

    /// Returns the operator of a function by its full name: "torch.ops.aten.add.Tensor", "_operator.add", "fn".
    Callee function(std::string_view name, GivenArguments given);
    /// Returns the operator of a method; the first argument is the object.
    Callee method(std::string_view name, GivenArguments given);
    Callee module(std::string_view path, GivenArguments given);

private:
    using Schemas = std::vector<ops::Schema>;

    const Schemas &schemas(std::string_view dialect, std::string_view name);
    Callee torchOperator(std::string_view name, GivenArguments given);
    std::optional<Callee> overloaded(std::string_view dialect, std::string_view name, const GivenArguments &given);
    std::optional<Callee> pythonCall(const PythonFunction &function, const GivenArguments &given);
    Callee pythonCallee(const PythonFunction &function, const ops::Schema &schema, std::string_view op,
                        const std::vector<std::pair<std::string_view, ir::Operand>> &operands);
    Callee bySchema(ir::OpId op, const ops::Schema &schema, GivenArguments given);
    Callee unknown(std::string_view dialect, std::string_view name, GivenArguments given);
    /// The assumptions that a match makes about values whose types are not fully known.
    struct Guess {
        bool unknownIsTensor, booleanIsInteger;
    };
    std::optional<ops::OverloadMatch> match(const Schemas &candidates, const GivenArguments &given, Guess guess);
    ir::TypeId typeOf(const ir::Operand &operand);
    std::vector<ir::TypeId> typesOf(std::span<const ops::SchemaArgument> results);
    ir::Argument argument(std::string_view name, ir::Operand value) const
    {
        return {m_reading.name(name), std::move(value)};
    }

    Reading &m_reading;
    const ir::Graph &m_graph;
    std::map<std::string, Schemas, std::less<>> m_schemas; ///< the schemas of each "dialect::name"
};

} // namespace cutaway::formats::graph_text
