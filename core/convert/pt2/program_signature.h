// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/convert/losses.h"
#include "core/convert/pt2/program_values.h"

namespace cutaway::convert {

/// The inputs, results and size symbols of a torch.export program, made from the signature of a function of the source.
class ProgramSignature {
public:
    /// `given` has the numbers that the user gives for inputs. The arguments have to outlive the object.
    ProgramSignature(const ir::Function &function, const analysis::Given &given, ProgramValues &values, Losses &losses);

    /// Makes the inputs. Errors (Usage): a number, which a program has fixed; no tensor and no list of tensors; an
    /// unknown shape or dtype.
    Result<void> addInputs();
    /// Makes the results; one that a program cannot have is missing.
    void addOutputs();
    /// Ends the graph and adds it to `program` as its main function, with what torch's loader reads of the signature.
    void finish(ir::Model &program, const analysis::Shapes &shapes);

private:
    /// Errors: those of inputOf().
    Result<void> addInput(const ir::FunctionInput &input);
    /// Makes inputs for an input of the function, or a part of the input `whole`. Errors: those of addInputs().
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
    std::vector<std::string> m_inSpecs, m_outSpecs; ///< one for each input and each result; see tree_spec.h
};

} // namespace cutaway::convert
