// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/torchscript/objects.h"

namespace cutaway::formats::torchscript {

/// A value of the graph or a constant, with its type if the code states it.
struct Typed {
    /// Whether torch's optimizer knows the value as a constant when it folds code that is being inlined (see
    /// folding.h): never, after it has computed the value, or because the code contains the constant.
    enum class Constant : std::uint8_t { No, Computed, Written };

    ir::Operand operand;
    ir::TypeId type;        ///< the type that the code declares
    ir::TypeId seen = type; ///< the type that torch's optimizer infers, which is often narrower than `type`
    Constant constant = Constant::No;
    /// The innermost level of calls at which torch knows the constant: 0 is the root, 1 a function that the root calls.
    std::uint32_t level = 0;
    /// The level of calls at which torch removes an unchecked_cast that the value has passed through; 0: the cast
    /// stays. At lower levels, nearer to the root, torch sees the value from before the cast.
    std::optional<std::uint32_t> castLevel = {};
    bool operator==(const Typed &) const = default;
};

/// A module of the file, and the path from the root by which the code reached it: "layer1.0".
struct ModuleTerm {
    InstanceId instance;
    std::string path;
    const ClassDefinition *interface = nullptr; ///< the attribute's declared type, if it is an interface
    bool operator==(const ModuleTerm &) const = default;
};

/// A function that can be called: one of the archive, or the body of a fork.
using FunctionTerm = const FunctionDefinition *;
using LocalTerm = const Function *;

/// The meaning of a name or expression while code is lowered.
using Term = std::variant<Typed, ModuleTerm, FunctionTerm, LocalTerm>;

} // namespace cutaway::formats::torchscript
