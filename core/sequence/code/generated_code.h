// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/excerpt.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::sequence {

/// The use that a kernel makes of the memory that an argument names, as the parameter's name says: in_ptr0, out_ptr0,
/// in_out_ptr0.
enum class Access : std::uint8_t {
    None, ///< it is a number
    Read,
    Write,
    ReadWrite,
    Unknown, ///< a kernel that the user wrote has names of its own
};

struct KernelParameter {
    std::string name;
    Access access = Access::Unknown;
};

/// A kernel whose source the code contains. Lines are numbered from 1 in the text of the code.
struct KernelDefinition {
    std::string name;
    std::uint64_t firstLine = 0, lastLine = 0;
    std::vector<KernelParameter> parameters; ///< none where their names say nothing
    std::vector<std::string> nodes;          ///< nodes that the comment above it lists; empty: there is none
};

/// A statement of the code that calls kernels, in the form that Statements gives it.
struct CodeStatement {
    std::uint64_t line = 0;          ///< where it ends
    std::string name;                ///< the name that it assigns to, or ""
    std::string value;               ///< "reinterpret_tensor(buf0,(4,8),(8,1),0)"
    std::optional<std::size_t> call; ///< it calls a kernel: its place in GeneratedCode::calls
};

struct KernelCall {
    std::string kernel;               ///< "cpp_fused_gelu_0", "extern_kernels.addmm"
    std::uint64_t number = 0;         ///< as a comment says, else its place among the calls, from 1
    std::uint64_t line = 0;           ///< where it ends
    std::vector<std::string> comment; ///< names of the source nodes that a comment above it lists
};

/// The Python code that Inductor makes of a graph: kernels, and a function that makes buffers and calls them.
struct GeneratedCode {
    std::vector<KernelDefinition> definitions;
    std::vector<CodeStatement> statements;
    std::vector<KernelCall> calls;
    std::map<std::string, std::size_t, std::less<>> byName; ///< the places of definitions

    const KernelDefinition *definition(std::string_view name) const; ///< nullptr: it is a library's
};

/// Reads the text of code. Another text gives no definitions and no calls.
GeneratedCode generatedCode(const Excerpt &text);
GeneratedCode generatedCode(std::string_view text);

/// The texts between the outermost brackets of `f(a, (b, c), d=e)`, parted at its commas; one empty text for `f()`.
std::vector<std::string_view> argumentsIn(std::string_view call);

/// Returns the name that an expression calls: "f" of `f(a)`; "" if the expression is no call.
std::string_view calledIn(std::string_view value);

/// Whether a kernel is a library's, or an operator that PyTorch runs, and stands for a node of the same operator.
bool isOfLibrary(std::string_view kernel);

} // namespace cutaway::sequence
