// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
// rewrite IN OUT: reads a model, writes it and reads that; exit code 1 if the two differ, 3 if IN cannot be read, 4 if
// OUT cannot be written. What against_python.py and a look over many files drive.
#include "core/formats/format.h"
#include "core/ir/verify.h"
#include "tests/core/formats/round_trip/content_text.h"

#include <cstdio>
#include <string>

using namespace cutaway;

namespace {

int say(int code, const std::string &text)
{
    std::puts(text.c_str());
    return code;
}

} // namespace

int main(int count, char **arguments)
{
    if (count != 3)
        return say(2, "usage: rewrite IN OUT");
    const auto model = formats::open(arguments[1]);
    if (!model)
        return say(3, "cannot be read: " + model.error().text());
    if (const auto written = formats::write(*model, arguments[2]); !written)
        return say(4, "cannot be written: " + written.error().text());
    const auto again = formats::open(arguments[2]);
    if (!again)
        return say(1, "cannot be read again: " + again.error().text());
    if (const auto faults = ir::verify(*again); !faults.empty())
        return say(1, "does not verify: " + faults.front());
    const std::string found = tests::difference(tests::contentText(*model), tests::contentText(*again));
    return found.empty() ? say(0, "same") : say(1, "differs: " + found.substr(0, 400));
}
