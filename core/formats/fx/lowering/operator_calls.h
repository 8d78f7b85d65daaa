// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/fx/lowering/graph_builder.h"
#include "core/ops/schemas/overload.h"

#include <map>
#include <string>
#include <string_view>

namespace cutaway::formats::fx {

/// Makes nodes of torch's operators. The overload of a call follows from the types of its arguments, as in
/// TorchScript. Throws NotKnown if the types that are known do not decide it.
class OperatorCalls {
public:
    OperatorCalls(ir::Model &model, python::CallTypes &types, GraphBuilder &builder)
        : m_context(*model.context),
          m_types(types),
          m_builder(builder)
    {
    }

    bool isDefined(std::string_view dialect, std::string_view name) { return !schemas(dialect, name).empty(); }
    Term call(std::string_view dialect, std::string_view name, const GivenArguments &given);
    /// Calls this overload, whatever types the arguments have.
    Term callOverload(std::string_view dialect, std::string_view name, std::string_view overload,
                      const GivenArguments &given);
    /// Makes a node that has only a name, with one result of unknown type.
    Term opaque(std::string_view dialect, std::string_view name, const GivenArguments &given);

    /// Returns a term as a value of the graph or a constant. Throws NotKnown for other terms.
    Typed value(const Term &term);
    /// Returns a constant or value as a term: a list becomes its items, a tensor of the file becomes a weight.
    Term term(const ir::Operand &operand);

private:
    struct Call {
        std::string_view dialect, name;
        std::vector<Typed> positional;
        std::vector<std::pair<std::string, Typed>> named;
    };

    const std::vector<ops::Schema> &schemas(std::string_view dialect, std::string_view name);
    Call prepared(std::string_view dialect, std::string_view name, const GivenArguments &given);
    std::optional<ops::OverloadMatch> match(const Call &call, const std::vector<ops::Schema> &candidates,
                                            bool isLenient);
    Term made(const Call &call, const ops::Schema &schema, const std::vector<ops::ArgumentSource> &sources,
              const std::vector<ops::SchemaType> &returns);
    Typed items(const ItemsTerm &items);

    ir::Context &m_context;
    python::CallTypes &m_types;
    GraphBuilder &m_builder;
    std::map<std::pair<std::string, std::string>, std::vector<ops::Schema>, std::less<>> m_schemas;
};

} // namespace cutaway::formats::fx
