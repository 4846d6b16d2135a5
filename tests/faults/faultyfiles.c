// SPDX-License-Identifier: GPL-3.0-or-later
#define _GNU_SOURCE
#include "tests/faults/faultyfiles.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum { mostDescriptors = 4096 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char folder[1024];
static long failAt, done, own;
static int failWith, slowness;
static pthread_t armedBy;
static char lastOwn[1200];
static volatile char watched[mostDescriptors];

void kvArmFaults(const char *in, long at, int error, int slow) {
    pthread_mutex_lock(&lock);
    snprintf(folder, sizeof folder, "%s", in);
    failAt = at;
    failWith = error;
    slowness = slow;
    done = own = 0;
    lastOwn[0] = 0;
    armedBy = pthread_self();
    pthread_mutex_unlock(&lock);
}

void kvDisarmFaults(void) {
    pthread_mutex_lock(&lock);
    folder[0] = 0;
    pthread_mutex_unlock(&lock);
}

long kvOperations(void) { return done; }
long kvOwnOperations(void) { return own; }
const char *kvLastOwnOperation(void) { return lastOwn; }

static int isInside(const char *path) {
    const size_t length = strlen(folder);
    return length > 0 && path && strncmp(path, folder, length) == 0 && (path[length] == '/' || path[length] == 0);
}

static int isWatched(int fd) { return fd >= 0 && fd < mostDescriptors && watched[fd] && folder[0]; }

/// Takes as long as told, whoever waits for it; `lock` is held, and given up.
static void takeTime(const char *what, const char *path) {
    const int wait = slowness;
    if (pthread_equal(pthread_self(), armedBy)) {
        ++own;
        snprintf(lastOwn, sizeof lastOwn, "%s %s", what, path ? path : "");
    }
    pthread_mutex_unlock(&lock);
    if (wait > 0) {
        const struct timespec pause = {wait / 1000, (wait % 1000) * 1000000L};
        nanosleep(&pause, NULL);
    }
}

/// Whether this operation fails; errno is set then.
static int fails(const char *what, const char *path) {
    pthread_mutex_lock(&lock);
    const int hit = ++done == failAt;
    const int error = failWith;
    takeTime(what, path);
    if (hit)
        errno = error;
    return hit;
}

/// A look at a name: it never fails of itself, but takes its time.
static void looks(const char *what, const char *path) {
    if (!isInside(path))
        return;
    const int before = errno;
    pthread_mutex_lock(&lock);
    takeTime(what, path);
    errno = before;
}

static void looksAt(const char *what, int fd) {
    if (isWatched(fd))
        looks(what, folder);
}

static int opened(int fd, const char *path) {
    if (fd >= 0 && fd < mostDescriptors)
        watched[fd] = (char)isInside(path);
    return fd;
}

#define NEXT(name) __extension__((__typeof__(&name))dlsym(RTLD_NEXT, #name))
#define REAL(name) \
    static __typeof__(&name) real; \
    if (!real) \
        real = NEXT(name)

// Takes the mode that stands among the variable arguments where a file may be made.
#define MODE(flags) \
    mode_t mode = 0; \
    if ((flags) & (O_CREAT | __O_TMPFILE)) { \
        va_list rest; \
        va_start(rest, flags); \
        mode = va_arg(rest, mode_t); \
        va_end(rest); \
    }

int open(const char *path, int flags, ...) {
    MODE(flags)
    REAL(open);
    return isInside(path) && fails("open", path) ? -1 : opened(real(path, flags, mode), path);
}

int open64(const char *path, int flags, ...) {
    MODE(flags)
    REAL(open64);
    return isInside(path) && fails("open", path) ? -1 : opened(real(path, flags, mode), path);
}

int openat(int at, const char *path, int flags, ...) {
    MODE(flags)
    REAL(openat);
    return isInside(path) && fails("open", path) ? -1 : opened(real(at, path, flags, mode), path);
}

int openat64(int at, const char *path, int flags, ...) {
    MODE(flags)
    REAL(openat64);
    return isInside(path) && fails("open", path) ? -1 : opened(real(at, path, flags, mode), path);
}

// What the C library's checked headers make of the above.
int __open_2(const char *path, int flags) { return open(path, flags); }
int __open64_2(const char *path, int flags) { return open64(path, flags); }

int mkstemp(char *path) {
    REAL(mkstemp);
    return isInside(path) && fails("make", path) ? -1 : opened(real(path), path);
}

int mkstemp64(char *path) {
    REAL(mkstemp64);
    return isInside(path) && fails("make", path) ? -1 : opened(real(path), path);
}

FILE *fopen(const char *path, const char *how) {
    REAL(fopen);
    if (isInside(path) && fails("open", path))
        return NULL;
    FILE *file = real(path, how);
    if (file)
        opened(fileno(file), path);
    return file;
}

FILE *fopen64(const char *path, const char *how) { return fopen(path, how); }

ssize_t read(int fd, void *to, size_t size) {
    REAL(read);
    return isWatched(fd) && fails("read", NULL) ? -1 : real(fd, to, size);
}

ssize_t __read_chk(int fd, void *to, size_t size, size_t room) {
    (void)room;
    return read(fd, to, size);
}

ssize_t pread(int fd, void *to, size_t size, off_t at) {
    REAL(pread);
    return isWatched(fd) && fails("read", NULL) ? -1 : real(fd, to, size, at);
}

ssize_t pread64(int fd, void *to, size_t size, off64_t at) {
    REAL(pread64);
    return isWatched(fd) && fails("read", NULL) ? -1 : real(fd, to, size, at);
}

// A full disk takes what still fits: the half of it, and nothing when asked again.
ssize_t write(int fd, const void *from, size_t size) {
    REAL(write);
    if (!isWatched(fd) || !fails("write", NULL))
        return real(fd, from, size);
    if (failWith != ENOSPC || size < 2)
        return -1;
    failAt = done + 1;
    return real(fd, from, size / 2);
}

ssize_t pwrite64(int fd, const void *from, size_t size, off64_t at) {
    REAL(pwrite64);
    return isWatched(fd) && fails("write", NULL) ? -1 : real(fd, from, size, at);
}

int fsync(int fd) {
    REAL(fsync);
    return isWatched(fd) && fails("sync", NULL) ? -1 : real(fd);
}

int fdatasync(int fd) {
    REAL(fdatasync);
    return isWatched(fd) && fails("sync", NULL) ? -1 : real(fd);
}

int ftruncate64(int fd, off64_t size) {
    REAL(ftruncate64);
    return isWatched(fd) && fails("truncate", NULL) ? -1 : real(fd, size);
}

int close(int fd) {
    REAL(close);
    if (fd >= 0 && fd < mostDescriptors)
        watched[fd] = 0;
    return real(fd);
}

int rename(const char *from, const char *to) {
    REAL(rename);
    return isInside(to) && fails("rename", to) ? -1 : real(from, to);
}

int renameat2(int fromAt, const char *from, int toAt, const char *to, unsigned flags) {
    REAL(renameat2);
    return isInside(to) && fails("rename", to) ? -1 : real(fromAt, from, toAt, to, flags);
}

int link(const char *from, const char *to) {
    REAL(link);
    return isInside(to) && fails("link", to) ? -1 : real(from, to);
}

int linkat(int fromAt, const char *from, int toAt, const char *to, int flags) {
    REAL(linkat);
    return isInside(to) && fails("link", to) ? -1 : real(fromAt, from, toAt, to, flags);
}

// Looks at names, by the calls that Qt and the standard library make.
int stat(const char *path, struct stat *out) {
    REAL(stat);
    looks("stat", path);
    return real(path, out);
}

int stat64(const char *path, struct stat64 *out) {
    REAL(stat64);
    looks("stat", path);
    return real(path, out);
}

int lstat(const char *path, struct stat *out) {
    REAL(lstat);
    looks("lstat", path);
    return real(path, out);
}

int lstat64(const char *path, struct stat64 *out) {
    REAL(lstat64);
    looks("lstat", path);
    return real(path, out);
}

int fstatat(int at, const char *path, struct stat *out, int flags) {
    REAL(fstatat);
    looks("stat", path);
    return real(at, path, out, flags);
}

int fstatat64(int at, const char *path, struct stat64 *out, int flags) {
    REAL(fstatat64);
    looks("stat", path);
    return real(at, path, out, flags);
}

int statx(int at, const char *path, int flags, unsigned mask, struct statx *out) {
    REAL(statx);
    looks("stat", path);
    return real(at, path, flags, mask, out);
}

int access(const char *path, int how) {
    REAL(access);
    looks("access", path);
    return real(path, how);
}

int faccessat(int at, const char *path, int how, int flags) {
    REAL(faccessat);
    looks("access", path);
    return real(at, path, how, flags);
}

DIR *opendir(const char *path) {
    REAL(opendir);
    looks("list", path);
    return real(path);
}

ssize_t readlink(const char *path, char *to, size_t size) {
    REAL(readlink);
    looks("readlink", path);
    return real(path, to, size);
}

char *realpath(const char *path, char *to) {
    REAL(realpath);
    looks("realpath", path);
    return real(path, to);
}

int mkdir(const char *path, mode_t mode) {
    REAL(mkdir);
    looks("mkdir", path);
    return real(path, mode);
}

int unlink(const char *path) {
    REAL(unlink);
    looks("unlink", path);
    return real(path);
}

int remove(const char *path) {
    REAL(remove);
    looks("remove", path);
    return real(path);
}

int flock(int fd, int how) {
    REAL(flock);
    looksAt("lock", fd);
    return real(fd, how);
}

int inotify_add_watch(int fd, const char *path, uint32_t what) {
    REAL(inotify_add_watch);
    looks("watch", path);
    return real(fd, path, what);
}
