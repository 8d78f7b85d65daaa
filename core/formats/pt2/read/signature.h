// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/pt2/read/graph_reader.h"
#include "core/formats/pt2/read/weights.h"
#include "core/ir/model.h"

#include <string>
#include <vector>

namespace cutaway::formats::pt2 {

/// An input_spec or output_spec of any schema version, without the value's name.
struct InputSpec {
    ir::FunctionInput::Kind kind = ir::FunctionInput::Kind::User;
    std::string_view target;    ///< the name of the parameter, buffer, constant or object
    std::string_view inputName; ///< constant_input: the name of the argument
    bool persistent = true;
};
struct OutputSpec {
    ir::FunctionOutput::Kind kind = ir::FunctionOutput::Kind::User;
    std::string_view target;
};

/// Return the specs of a graph's signature, one for each of the graph's inputs or outputs.
std::vector<InputSpec> inputSpecs(Reading &reading, Json signature, Json graph);
std::vector<OutputSpec> outputSpecs(Reading &reading, Json signature, Json graph);

/// Adds the function's inputs: as values of the graph, tensors of the model and entries of the signature.
class InputBinder {
public:
    InputBinder(Reading &reading, GraphReader &graphReader, ProvenanceReader &provenance, const Weights &weights,
                ir::Function &function)
        : m_reading(reading),
          m_graphReader(graphReader),
          m_provenance(provenance),
          m_weights(weights),
          m_function(function)
    {
    }

    void bind(const InputSpec &spec, Json argument);
    /// Adds diagnostics for the tensors that have no bytes in the file, with the reasons.
    void reportMissing();

private:
    ir::TensorId addTensor(const InputSpec &spec, std::string_view valueName);
    void bindTensor(const InputSpec &spec, std::string_view name);
    void bindObject(const InputSpec &spec, Json argument);
    ir::Tensor unboundTensor(std::string_view valueName);

    Reading &m_reading;
    GraphReader &m_graphReader;
    ProvenanceReader &m_provenance;
    const Weights &m_weights;
    ir::Function &m_function;
    std::vector<std::string> m_missing;
};

} // namespace cutaway::formats::pt2
