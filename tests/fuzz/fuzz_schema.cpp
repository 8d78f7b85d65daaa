// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ops/schemas/overload.h"

#include <cstdint>
#include <cstdlib>

using namespace cutaway::ops;

/// A schema that can be read prints as a text that reads and prints the same, and takes a call with values of its own
/// types.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto schema = parseSchema({reinterpret_cast<const char *>(data), size});
    if (!schema)
        return 0;
    const std::string printed = print(*schema);
    const auto again = parseSchema(printed);
    if (!again || print(*again) != printed)
        std::abort();

    CallTypes call;
    for (const SchemaArgument &argument : schema->arguments)
        if (!argument.keywordOnly)
            call.positional.push_back(argument.type);
    (void)matchOverload({&*schema, 1}, call);
    return 0;
}
