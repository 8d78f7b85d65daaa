// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sequence/comparison/comparison.h"
#include "core/sequence/facts/cache_use.h"
#include "core/sequence/facts/guards.h"
#include "core/sequence/kernel_bytes.h"
#include "core/sequence/saved.h"
#include "core/sequence/sequence.h"
#include "core/sequence/training.h"

#include <cstdlib>
#include <set>

namespace cutaway::test {

/// Reads all that a document refers to. Aborts where two steps have one address, or an excerpt lies outside its file.
inline void readDocument(const sequence::Document &document)
{
    std::set<std::string> addresses;
    for (const sequence::Sequence &each : document.sequences) {
        for (const sequence::Step &step : each.steps) {
            if (!addresses.insert(step.address).second)
                std::abort();
            if (!step.text) // a file beside the log
                continue;
            for (const auto &piece : step.text->pieces)
                if (piece.offset + piece.length > step.text->file->bytes().size())
                    std::abort();
            (void)step.text->text();
        }
        (void)sequence::guardsOf(each);
        (void)sequence::cachesOf(each);
        (void)sequence::kernelBytes(each, sequence::kernelsOf(each));
        if (const sequence::Sequence *backward = sequence::backwardOf(document, each))
            (void)sequence::trainingOf(each, *backward);
    }
    (void)sequence::compare(document, document);
}

} // namespace cutaway::test
