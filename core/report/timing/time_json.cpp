// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/timing/time_json.h"

namespace cutaway::report {

void writeSpread(JsonWriter &out, std::string_view key, const protocol::Spread &spread)
{
    out.key(key);
    out.beginObject();
    out.member("median", spread.median * inMilliseconds);
    out.member("p5", spread.p5 * inMilliseconds);
    out.member("p95", spread.p95 * inMilliseconds);
    out.member("count", spread.count);
    out.endObject();
}

void writeSeconds(JsonWriter &out, std::string_view key, std::optional<double> seconds)
{
    out.key(key);
    if (seconds)
        out.value(*seconds * inMilliseconds);
    else
        out.null();
}

} // namespace cutaway::report
