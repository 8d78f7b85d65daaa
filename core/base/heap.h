// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway {

/// Lets what malloc gives lie in huge pages, where the system has them for whom asks. A model consists of millions of
/// small pieces: without, a large one is read half as fast, as each ordinary page is a fault at first and a miss of the
/// processor's tables later. For the start of a program, while it has one thread. Only address space is reserved.
void growHeapInLargePages();

/// Has all threads allocate from one heap, so that what one of them has freed serves the next. For a program whose
/// threads take turns; those that allocate at the same time wait for each other.
void shareHeap();

/// Gives what is free in the heap back to the system. O(size of the heap).
void returnFreeHeap();

} // namespace cutaway
