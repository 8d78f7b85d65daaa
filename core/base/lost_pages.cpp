// SPDX-FileCopyrightText: The Cutaway authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// The handler runs on the thread that was reading and may interrupt any instruction of it, so it takes no lock and
// allocates no memory: it goes through a list of slots. Slots are only ever added to the list, and their fields are
// atomic. The slot of the mapping that was read cannot change meanwhile, because its owner is still reading. Other
// slots may change; the handler detects that by reading `begin` before and after `end`.

#include "core/base/lost_pages.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <sys/mman.h>
#include <unistd.h>

namespace cutaway {

/// A range of addresses that is watched, or a free slot while `begin` is 0. Slots are never destroyed.
struct LostPages::Slot {
    std::atomic<std::uintptr_t> begin = 0;
    std::atomic<std::uintptr_t> end = 0;
    std::atomic<bool> lost = false;
    Slot *next = nullptr;

    bool holds(std::uintptr_t address) const
    {
        const auto first = begin.load();
        return first != 0 && first <= address && address < end.load() && begin.load() == first;
    }

    /// Replaces the page that contains `address` and all later pages of the mapping by zeros: they lie past the end of
    /// the file. Returns false if the system refuses.
    bool fillFrom(std::byte *address)
    {
        lost = true;
        const auto at = reinterpret_cast<std::uintptr_t>(address);
        const auto inPage = at % static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
        return ::mmap(address - inPage, end - at + inPage, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0)
            != MAP_FAILED;
    }
};

namespace {

using Slot = LostPages::Slot;

static_assert(std::atomic<std::uintptr_t>::is_always_lock_free && std::atomic<bool>::is_always_lock_free);

constinit std::atomic<Slot *> slots = nullptr;
constinit struct sigaction handlerBefore{};

void passOn(int signal, siginfo_t *info, void *context)
{
    if (handlerBefore.sa_flags & SA_SIGINFO)
        return handlerBefore.sa_sigaction(signal, info, context);
    if (handlerBefore.sa_handler != SIG_DFL && handlerBefore.sa_handler != SIG_IGN)
        return handlerBefore.sa_handler(signal);
    ::sigaction(signal, &handlerBefore, nullptr);
    ::raise(signal); // it is delivered when this handler returns
}

void onBusError(int signal, siginfo_t *info, void *context)
{
    const int errorBefore = errno;
    auto *address = static_cast<std::byte *>(info->si_addr);
    for (Slot *slot = info->si_code == BUS_ADRERR ? slots.load() : nullptr; slot != nullptr; slot = slot->next)
        if (slot->holds(reinterpret_cast<std::uintptr_t>(address)) && slot->fillFrom(address)) {
            errno = errorBefore;
            return;
        }
    passOn(signal, info, context);
}

bool install()
{
    struct sigaction handler{};
    handler.sa_sigaction = onBusError;
    handler.sa_flags = SA_SIGINFO;
    ::sigaction(SIGBUS, nullptr, &handlerBefore);
    return ::sigaction(SIGBUS, &handler, nullptr) == 0;
}

Slot &freeSlot()
{
    for (Slot *slot = slots; slot != nullptr; slot = slot->next)
        if (slot->begin == 0)
            return *slot;
    auto *slot = new Slot;
    slot->next = slots;
    slots = slot;
    return *slot;
}

Slot &watch(std::span<const std::byte> mapping)
{
    static const bool isInstalled = install();
    (void)isInstalled;
    static std::mutex oneAtATime;
    const std::scoped_lock lock(oneAtATime);
    Slot &slot = freeSlot();
    const auto begin = reinterpret_cast<std::uintptr_t>(mapping.data());
    slot.lost = false;
    slot.end = begin + mapping.size();
    slot.begin = begin;
    return slot;
}

} // namespace

LostPages::LostPages(std::span<const std::byte> mapping) : m_slot(watch(mapping)) { }

LostPages::~LostPages() { m_slot.begin = 0; }

bool LostPages::any() const { return m_slot.lost; }

} // namespace cutaway
