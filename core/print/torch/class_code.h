// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/print/torch/forward_code.h"

namespace cutaway::print {

/// Makes the classes of a model's modules. Modules of one kind whose codes differ only in literals share a class whose
/// constructor takes these literals.
class ClassCode {
public:
    /// The objects that `source` refers to have to outlive this object.
    explicit ClassCode(const CodeSource &source);

    /// Returns the text of all classes, each after those that it needs, and the model's at the end. Errors: those of
    /// ForwardCode.
    Result<std::string> print();
    /// Returns the name of the model's own class, "ResNet", once print() has been called.
    const std::string &mainClass() const { return m_mainClass; }

private:
    using Lines = std::vector<std::string>;
    struct Draft; ///< the code of one module, with holes

    /// Errors: those of ForwardCode.
    Result<Draft> draftOf(const ModuleNode &module);
    /// Errors: those of draftOf().
    Result<void> addClasses(std::span<const ModuleNode *const> modules);
    void addClass(std::span<Draft> drafts);
    Lines constructor(const ModuleNode &module) const;
    Lines container(const ModuleNode &module) const;
    std::string tensorLine(ir::TensorId tensor) const;
    std::string recordedClass(const ModuleNode &module) const;
    std::string classNameFor(const ModuleNode &module);

    CodeSource m_source;
    /// By path: the call of the module's constructor, "Bottleneck(64, 256)", with holes.
    std::unordered_map<std::string, std::string> m_constructors;
    UniqueNames m_classNames;
    std::string m_mainClass;
    std::string m_text;
};

} // namespace cutaway::print
