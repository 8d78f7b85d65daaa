// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace cutaway {

/// Makes malloc's memory lie in huge pages, if the system offers them to programs that ask. A model consists of
/// millions of small pieces. Without huge pages a large model is read at half the speed, because each ordinary page
/// costs a page fault at first and TLB misses later. Call it when the program starts and has only one thread. Only
/// address space is reserved.
void growHeapInLargePages();

/// Makes all threads allocate from one heap, so that memory that one thread has freed serves the next one. It is for
/// a program whose threads work one after the other; threads that allocate at the same time wait for each other.
void shareHeap();

/// Returns the free parts of the heap to the system. O(size of the heap).
void returnFreeHeap();

} // namespace cutaway
