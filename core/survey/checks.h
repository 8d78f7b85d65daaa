// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/survey/record.h"
#include "core/survey/request.h"

namespace cutaway::survey {

/// A check is a question that the command line answers by its exit code, asked of every model:
///   passes:PIPELINE    the passes keep the numbers (passes run --check-numbers)
///   convert:OPSET      the whole model can become ONNX of this operator set; convert:onnx: of the default one
///   numbers:BACKEND    the backend computes what the evaluator does (compare)
///   lint:SEVERITY      lint finds nothing as severe (lint --severity)
///   backend:BACKEND    the backend takes every node (lint --backend); else the answer's message is the operators of
///                      those that it does not take, with ", " between them
///   assert:FIGURE      what `inspect --assert` says, as flops<=8G
/// Errors (Usage): there is no such check, with those that there are.
Result<void> parseCheck(const std::string &check);

/// Answers a check for one model, with the request's sizes and inputs, in a process of its own.
CheckAnswer answer(const std::string &check, const std::string &path, const Request &request);

} // namespace cutaway::survey
