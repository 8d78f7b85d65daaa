// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/losses.h"
#include "core/convert/pt2/program_values.h"

namespace cutaway::convert {

/// The inputs, results and size symbols of a torch.export program, made from the signature of a function of the source.
class ProgramSignature {
public:
    /// `given` has the numbers that the user states for inputs. The arguments have to outlive the object.
    ProgramSignature(const ir::Function &function, const analysis::Given &given, ProgramValues &values, Losses &losses);

    /// Makes the inputs. Errors (Usage): an input is a number without a given value, or neither a tensor nor a list of
    /// tensors, or its shape or dtype is unknown.
    Result<void> addInputs();
    /// Makes the results. A result that a program cannot have is added to the missing ones.
    void addOutputs();
    /// Ends the graph and adds it to `program` as its main function, with the parts of the signature that torch's
    /// loader reads.
    void finish(ir::Model &program, const analysis::Shapes &shapes);

private:
    /// Errors: those of inputOf().
    Result<void> addInput(const ir::FunctionInput &input);
    /// Makes the program's inputs for an input of the function, or for a part of the input `whole`. Errors: those of
    /// addInputs().
    Result<ir::Operand> inputOf(const ops::Fact &fact, std::string_view name, std::string_view whole);
    void addOutput(const ir::FunctionOutput &output);
    void addUserOutput(const ir::Operand &made, const std::string &name);
    void nameAsValues(const ir::Model &program);
    std::vector<ir::Symbol> symbols(const analysis::Shapes &shapes);

    const ir::Function &m_function;
    const analysis::Given &m_given;
    ProgramValues &m_values;
    Losses &m_losses;
    std::vector<ir::FunctionInput> m_inputs;
    std::vector<ir::FunctionOutput> m_outputs;
    std::vector<std::string> m_inSpecs, m_outSpecs; ///< a spec for each input and each result; see tree_spec.h
};

} // namespace cutaway::convert
