// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway {

/// Lets the memory that malloc gives lie in huge pages, where the system has them for programs that ask. A model
/// consists of millions of small pieces: without huge pages a large model is read half as fast, as each ordinary page
/// is a page fault at first and a miss of the processor's tables later. For the start of a program, while it has one
/// thread. Only address space is reserved.
void growHeapInLargePages();

/// Makes all threads allocate from one heap, so that memory that one of them has freed serves the next. For a program
/// whose threads work one after the other; those that allocate at the same time wait for each other.
void shareHeap();

/// Gives what is free in the heap back to the system. O(size of the heap).
void returnFreeHeap();

} // namespace cutaway
