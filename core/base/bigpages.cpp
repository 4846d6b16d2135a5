// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/bigpages.h"

#include <cstdint>
#include <cstdlib> // says which library this is, besides

#if defined(__linux__) && defined(__GLIBC__)

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kv {

void takeMemoryInBigPages() {
    constexpr std::uintptr_t page = 2 << 20;
    constexpr int half = 12 << 20; // of what a window at 2x and its tables come to
    // Before any thread is there: NOLINTBEGIN(concurrency-mt-unsafe,performance-no-int-to-ptr)
    // The picture of a window is a block that would else be mapped by itself, and anew after each change of size.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, half);
    const auto before = reinterpret_cast<std::uintptr_t>(sbrk(0));
    void *volatile grown = std::malloc(half); // more than is free in the heap as the libraries' own start left it
    std::free(grown);
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0)) / page * page, begin = (before + page - 1) / page * page;
    if (begin < end)
        (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
    // NOLINTEND(concurrency-mt-unsafe,performance-no-int-to-ptr)
}

} // namespace kv

#else

namespace kv {

void takeMemoryInBigPages() {}

} // namespace kv

#endif
