// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutaway::sequence {

struct Excerpt;

/// How a kernel uses the memory of an argument, by the name of the parameter: in_ptr0, out_ptr0, in_out_ptr0.
enum class Access : std::uint8_t {
    None, ///< the parameter is a number
    Read,
    Write,
    ReadWrite,
    Unknown, ///< the kernel is the user's own and has other names
};

struct KernelParameter {
    std::string name;
    Access access = Access::Unknown;
};

/// A kernel whose source is in the code. Lines are counted from 1 in the text of the code.
struct KernelDefinition {
    std::string name;
    std::uint64_t firstLine = 0, lastLine = 0;
    std::vector<KernelParameter> parameters; ///< empty if their names do not show how the kernel uses them
    std::vector<std::string> nodes;          ///< nodes that the comment above the kernel lists; empty: no comment
};

/// A statement of the code outside of kernels, in the form that Statements gives it.
struct CodeStatement {
    std::uint64_t line = 0;          ///< the last line of the statement
    std::string name;                ///< the assigned name; "" if there is none
    std::string value;               ///< "reinterpret_tensor(buf0,(4,8),(8,1),0)"
    std::optional<std::size_t> call; ///< the index in GeneratedCode::calls, if the statement calls a kernel
};

struct KernelCall {
    std::string kernel;               ///< "cpp_fused_gelu_0", "extern_kernels.addmm"
    std::uint64_t number = 0;         ///< the number in its comment, else its position among the calls, from 1
    std::uint64_t line = 0;           ///< the last line of the call
    std::vector<std::string> comment; ///< names of source nodes in the comment above it
};

/// The Python code that Inductor makes of a graph: kernels, and a function that makes buffers and calls the kernels.
struct GeneratedCode {
    std::vector<KernelDefinition> definitions;
    std::vector<CodeStatement> statements;
    std::vector<KernelCall> calls;
    std::map<std::string, std::size_t, std::less<>> byName; ///< by name: the index in `definitions`

    const KernelDefinition *definition(std::string_view name) const; ///< returns nullptr if the kernel is a library's
};

/// Reads the text of generated code. A text that is no such code has no definitions and no calls.
GeneratedCode generatedCode(const Excerpt &text);
GeneratedCode generatedCode(std::string_view text);

/// Returns the texts between the outermost brackets of `f(a, (b, c), d=e)`, split at commas; one empty text for `f()`.
std::vector<std::string_view> argumentsIn(std::string_view call);

/// Returns the name that an expression calls: "f" for `f(a)`; "" if the expression is no call.
std::string_view calledIn(std::string_view value);

/// Whether a kernel is a library's, or an operator that PyTorch runs, and stands for a node of the same operator.
bool isOfLibrary(std::string_view kernel);

} // namespace cutaway::sequence
