// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/runtool.h"

#include "core/base/environment.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

namespace kv {

namespace {

using Clock = std::chrono::steady_clock;

std::string pathOf(const std::string &name) {
    const std::optional<std::string> variable = environmentValue("PATH");
    if (!variable || name.empty() || name.find('/') != std::string::npos)
        return {};
    for (std::string_view rest = *variable; !rest.empty();) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        const std::string_view folder = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (folder.empty() || folder.front() != '/') // what lies in the present folder is nobody's driver
            continue;
        std::string path = std::string(folder) + "/" + name;
        struct stat info {};
        if (::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) && ::access(path.c_str(), X_OK) == 0)
            return path;
    }
    return {};
}

/// Starts the tool in a process group of its own with its output in the pipe; 0 when it does not start.
pid_t start(const std::string &path, const std::vector<std::string> &arguments, int output) {
    std::vector<char *> words{const_cast<char *>(path.c_str())};
    for (const std::string &argument : arguments)
        words.push_back(const_cast<char *>(argument.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&files, output, 1);
    ::posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    pid_t child = 0;
    const int failed = ::posix_spawn(&child, path.c_str(), &files, &attributes, words.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
    return failed ? 0 : child;
}

int millisecondsTo(Clock::time_point end) {
    return static_cast<int>(std::max<std::int64_t>(0, std::chrono::duration_cast<std::chrono::milliseconds>(end - Clock::now()).count()));
}

/// Reads until the tool says no more, says too much or takes too long.
void readAnswer(int input, Clock::time_point end, std::size_t most, ToolAnswer &answer) {
    char block[16 * kibibyte];
    for (;;) {
        pollfd waits{input, POLLIN, 0};
        const int left = millisecondsTo(end);
        const int ready = ::poll(&waits, 1, left);
        if (ready < 0 && errno == EINTR)
            continue;
        if (ready <= 0) {
            answer.timedOut = true;
            return;
        }
        const ssize_t got = ::read(input, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return;
        answer.out.append(block, static_cast<std::size_t>(got));
        if (answer.out.size() > most) {
            answer.out.resize(most);
            answer.cut = true;
            return;
        }
    }
}

/// Waits for the end of the tool; one that closed its output and goes on, or was cut off, is ended.
int finish(pid_t child, Clock::time_point end, bool endIt) {
    int status = 0;
    for (;;) {
        if (endIt || Clock::now() >= end) {
            ::kill(-child, SIGKILL);
            endIt = true;
        }
        const pid_t got = ::waitpid(child, &status, endIt ? 0 : WNOHANG);
        if (got == child)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        if (got == 0)
            ::poll(nullptr, 0, 2);
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

ToolAnswer runTool(const std::string &name, const std::vector<std::string> &arguments, const ToolLimits &limits) {
    ToolAnswer answer;
    const std::string path = pathOf(name);
    if (path.empty())
        return answer;
    answer.found = true;
    int ends[2];
    if (::pipe(ends) != 0)
        return answer;
    for (const int descriptor : ends)
        ::fcntl(descriptor, F_SETFD, FD_CLOEXEC);
    const Clock::time_point end = Clock::now() + std::chrono::milliseconds(limits.milliseconds);
    const pid_t child = start(path, arguments, ends[1]);
    ::close(ends[1]);
    if (child > 0) {
        readAnswer(ends[0], end, limits.bytes, answer);
        answer.status = finish(child, end, answer.timedOut || answer.cut);
        if (!answer.timedOut && answer.status == -1 && Clock::now() >= end)
            answer.timedOut = true;
    }
    ::close(ends[0]);
    return answer;
}

} // namespace kv
