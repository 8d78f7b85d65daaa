// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace cutaway::sequence {

/// The name of a value or pointer, or a number.
using KernelOperand = std::variant<std::string, double>;

/// A statement in the source of a kernel that Inductor made, in C++ or Triton: `auto tmp2 = float(tmp0 * tmp1);`.
struct KernelStatement {
    enum class Meaning : std::uint8_t {
        Value, ///< names a value, or gives a pointer another name
        Load,  ///< reads from the memory of a pointer
        Store, ///< writes to the memory of a pointer
    };
    struct Lines {
        std::uint32_t first = 0, end = 0; ///< `end` is the line after the last one
        bool isEmpty() const { return first == end; }
    };
    Lines lines = {};
    Meaning meaning = Meaning::Value;
    std::string name = {}; ///< the name of the value; for a store, of the pointer
    /// The operands in the order of the text; those of a load are the pointer and the values of its index.
    std::vector<KernelOperand> operands = {};
    std::vector<std::string> operations = {}; ///< "mul" for `*`, "erf" for `std::erf`; conversions do not count
};

/// Whether a name in the source of a kernel is that of a pointer: "in_out_ptr0".
bool isKernelPointer(std::string_view name);

/// Reads the source of a kernel, whose first line has the number `line`. Lines without a load, a store or a value are
/// left out; a statement that names several values becomes one for each of them.
std::vector<KernelStatement> kernelStatements(std::string_view source, std::uint32_t line = 1);

} // namespace cutaway::sequence
