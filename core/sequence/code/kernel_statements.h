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
        Value, ///< gives a value a name, or a pointer another one
        Load,  ///< reads what a pointer points to
        Store, ///< writes there
    };
    struct Lines {
        std::uint32_t first = 0, end = 0; ///< behind the last
        bool isEmpty() const { return first == end; }
    };
    Lines lines = {};
    Meaning meaning = Meaning::Value;
    std::string name = {}; ///< the name of the value; for a store, of the pointer
    std::vector<KernelOperand> operands =
        {}; ///< in the order of the text; of a load the pointer and values in its index
    std::vector<std::string> operations = {}; ///< "mul" of `*`, "erf" of `std::erf`; conversions are none
};

/// Whether a name in such a source is that of a pointer: "in_out_ptr0".
bool isKernelPointer(std::string_view name);

/// Reads the source of a kernel, whose first line has the number `line`. What is no such statement is left out; one
/// that gives several values names is one for each of them.
std::vector<KernelStatement> kernelStatements(std::string_view source, std::uint32_t line = 1);

} // namespace cutaway::sequence
