// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace cutaway::ir {

// The keywords of the model's enumerations in the textual form and JSON, in the order of the enumerators.
inline constexpr std::array<std::string_view, 8> inputKinds{
    "user", "parameter", "buffer", "constant", "custom_object", "token", "constant_input", "overridable"};
inline constexpr std::array<std::string_view, 8> outputKinds{"user",
                                                             "loss",
                                                             "buffer_mutation",
                                                             "parameter_mutation",
                                                             "user_input_mutation",
                                                             "gradient_to_parameter",
                                                             "gradient_to_user_input",
                                                             "token"};
inline constexpr std::array<std::string_view, 3> functionKinds{"graph", "method", "function"};
inline constexpr std::array<std::string_view, 4> tensorKinds{"parameter", "buffer", "constant", "packed"};
inline constexpr std::array<std::string_view, 3> encodings{"little_endian", "big_endian", "varints"};
inline constexpr std::array<std::string_view, 3> severities{"info", "warning", "error"};

} // namespace cutaway::ir
