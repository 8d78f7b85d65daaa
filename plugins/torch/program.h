// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ir/model.h"
#include "plugins/torch/routine.h"

namespace cutaway::plugins {

class FileObjects;
class Weights;

/// The functions of a model that can be reached from the main one, compiled.
class Program {
public:
    /// Compiles a model. Errors: Backend: all operators that torch lacks, in one message; those of Weights::tensor().
    static Result<std::unique_ptr<Program>> make(ir::Model model, ir::FunctionId main, c10::Device device);
    /// Makes a program that only gives access to the model's weights and constants; it has no routines and cannot run.
    static std::unique_ptr<Program> unmade(ir::Model model, ir::FunctionId main);
    ~Program();

    const ir::Model &model() const { return m_model; }
    const ir::Function &main() const { return m_model.at(m_main); }
    c10::Device device() const { return m_device; }
    Weights &weights() const { return *m_weights; }
    FileObjects &fileObjects() const { return *m_fileObjects; }
    const Routine &routine(ir::FunctionId id) const { return *m_routines[id.index]; }
    const Routine &mainRoutine() const { return routine(m_main); }

private:
    Program(ir::Model model, ir::FunctionId main, c10::Device device);
    /// Compiles all functions that can be reached. Errors: those of make().
    Result<void> compileAll();

    ir::Model m_model;
    ir::FunctionId m_main;
    c10::Device m_device;
    std::unique_ptr<FileObjects> m_fileObjects;
    std::unique_ptr<Weights> m_weights;
    std::vector<std::unique_ptr<Routine>> m_routines; ///< by function; nullptr for functions that are never called
};

/// Finds a function by its name; "" for the first one.
std::optional<ir::FunctionId> functionOf(const ir::Model &model, const std::string &name);

} // namespace cutaway::plugins
