// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

namespace cutaway::plugins {

/// An input of a request as a value of this type. Errors (Usage): the message's tensors do not fit, a dtype that torch
/// does not have.
Result<c10::IValue> valueOf(const protocol::ModelInput &input, std::string_view payload, const c10::TypePtr &type,
                            c10::Device device);

/// A result as tensors of the payload: lists, tuples and dictionaries opened, what is in them called "name.0" or
/// "name.key"; numbers as tensors without dimensions.
void send(const std::string &name, const c10::IValue &value, std::vector<protocol::ModelOutput> &outputs,
          std::string &payload);

} // namespace cutaway::plugins
