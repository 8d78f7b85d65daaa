// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <boost/smart_ptr/intrusive_ptr.hpp>
#include <boost/smart_ptr/intrusive_ref_counter.hpp>
#include <sys/single_threaded.h>

namespace cutaway {

/// Counts references; like std::shared_ptr, with atomic instructions only once the process has had a second thread.
struct ReferenceCount {
    using type = std::atomic<unsigned int>; // NOLINT(readability-identifier-naming): Boost's names

    static unsigned int load(const type &count) noexcept { return count.load(std::memory_order_acquire); }
    static void increment(type &count) noexcept
    {
        if (__libc_single_threaded)
            count.store(count.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
        else
            count.fetch_add(1, std::memory_order_relaxed);
    }
    static unsigned int decrement(type &count) noexcept
    {
        if (!__libc_single_threaded)
            return count.fetch_sub(1, std::memory_order_acq_rel) - 1;
        const unsigned int left = count.load(std::memory_order_relaxed) - 1;
        count.store(left, std::memory_order_relaxed);
        return left;
    }
};

/// A base class of objects that boost::intrusive_ptr counts.
template <class T>
using ReferenceCounted = boost::intrusive_ref_counter<T, ReferenceCount>;

} // namespace cutaway
