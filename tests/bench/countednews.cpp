// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/countednews.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace {

std::atomic<long> count;

void *counted(std::size_t bytes) {
    count.fetch_add(1, std::memory_order_relaxed);
    if (void *memory = std::malloc(bytes > 0 ? bytes : 1))
        return memory;
    throw std::bad_alloc();
}

} // namespace

long kv::bench::news() { return count.load(std::memory_order_relaxed); }

// The array forms of the standard library call these.
void *operator new(std::size_t bytes) { return counted(bytes); }
void operator delete(void *memory) noexcept { std::free(memory); }
void operator delete(void *memory, std::size_t) noexcept { std::free(memory); }
