// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/backend.h"

#include <ATen/core/ivalue.h>
#include <ATen/core/jit_type.h>

namespace cutaway::plugins {

/// Converts an input of a request to a value of this type. Errors (Usage): tensors of the message are inconsistent;
/// torch lacks a dtype.
Result<c10::IValue> valueOf(const protocol::ModelInput &input, std::string_view payload, const c10::TypePtr &type,
                            c10::Device device);

/// Adds a result to the payload as tensors: lists, tuples and dictionaries are opened, their items named "name.0" or
/// "name.key"; numbers are tensors without dimensions.
void send(const std::string &name, const c10::IValue &value, std::vector<protocol::ModelOutput> &outputs,
          std::string &payload);

} // namespace cutaway::plugins
