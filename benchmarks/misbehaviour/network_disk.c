/* Preloaded into programs (LD_PRELOAD): what is below NETWORK_DISK is as on a disk that several machines share.

   Each change of a name, and each fsync, comes after a wait of up to NETWORK_DELAY milliseconds. For
   NETWORK_STALE milliseconds a machine may list a folder without what another one made in it, and may follow
   a link as it was. Where NETWORK_READER is set, a file that was removed is read no more (ESTALE): another
   machine removed it. No lease is granted. A machine is a group: what it makes has its effective group. */

#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FILES 65536
#define LINKS 64
#define REAL(name) ((__typeof__(&name))real(#name))

static char shared[FILES]; /* which descriptors are of files of the disk */
static struct { char path[PATH_MAX], target[PATH_MAX]; ssize_t length; double read; } links[LINKS];
static unsigned drawn;

static void *real(const char *name) { return dlsym(RTLD_NEXT, name); }

static double milliseconds(const struct timespec *at) { return at->tv_sec * 1e3 + at->tv_nsec / 1e6; }

static double now(void)
{
    struct timespec at;
    clock_gettime(CLOCK_REALTIME, &at);
    return milliseconds(&at);
}

static double number(const char *name) { return getenv(name) ? atof(getenv(name)) : 0; }

static unsigned chance(unsigned most)
{
    if (!drawn)
        drawn = getpid();
    return most ? rand_r(&drawn) % most : 0;
}

static int on_disk(int folder, const char *path)
{
    const char *disk = getenv("NETWORK_DISK");
    if (!disk)
        return 0;
    if (path[0] == '/')
        return !strncmp(path, disk, strlen(disk));
    if (folder != AT_FDCWD)
        return folder >= 0 && folder < FILES && shared[folder];
    char here[PATH_MAX];
    return getcwd(here, sizeof here) && !strncmp(here, disk, strlen(disk));
}

static void change(int folder, const char *path)
{
    if (!on_disk(folder, path))
        return;
    usleep(chance(number("NETWORK_DELAY") * 1000));
    memset(links, 0, sizeof links); /* a machine knows what it changed itself */
}

static int opened(int folder, const char *path, int descriptor)
{
    if (descriptor >= 0 && descriptor < FILES)
        shared[descriptor] = on_disk(folder, path);
    return descriptor;
}

#define OPEN(name) \
    int name(const char *path, int flags, ...) \
    { \
        va_list given; va_start(given, flags); mode_t mode = va_arg(given, mode_t); va_end(given); \
        if (flags & O_CREAT) change(AT_FDCWD, path); \
        return opened(AT_FDCWD, path, REAL(name)(path, flags, mode)); \
    }
OPEN(open)
OPEN(open64)

#define OPENAT(name) \
    int name(int folder, const char *path, int flags, ...) \
    { \
        va_list given; va_start(given, flags); mode_t mode = va_arg(given, mode_t); va_end(given); \
        if (flags & O_CREAT) change(folder, path); \
        return opened(folder, path, REAL(name)(folder, path, flags, mode)); \
    }
OPENAT(openat)
OPENAT(openat64)

int rename(const char *from, const char *to) { change(AT_FDCWD, to); return REAL(rename)(from, to); }
int link(const char *from, const char *to) { change(AT_FDCWD, to); return REAL(link)(from, to); }
int symlink(const char *target, const char *path) { change(AT_FDCWD, path); return REAL(symlink)(target, path); }
int unlink(const char *path) { change(AT_FDCWD, path); return REAL(unlink)(path); }
int rmdir(const char *path) { change(AT_FDCWD, path); return REAL(rmdir)(path); }
int mkdir(const char *path, mode_t mode) { change(AT_FDCWD, path); return REAL(mkdir)(path, mode); }
int unlinkat(int folder, const char *path, int flags)
{
    change(folder, path);
    return REAL(unlinkat)(folder, path, flags);
}

int fsync(int descriptor)
{
    if (descriptor >= 0 && descriptor < FILES && shared[descriptor])
        usleep(chance(number("NETWORK_DELAY") * 1000));
    return REAL(fsync)(descriptor);
}

ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{
    if (!on_disk(AT_FDCWD, path) || strlen(path) >= PATH_MAX)
        return REAL(readlink)(path, target, size);
    unsigned at = 0;
    for (const char *letter = path; *letter; letter++)
        at = at * 31 + (unsigned char)*letter;
    at %= LINKS;
    if (strcmp(links[at].path, path) || now() - links[at].read > number("NETWORK_STALE")) {
        ssize_t length = REAL(readlink)(path, target, size);
        if (length < 0 || length >= PATH_MAX)
            return length;
        strcpy(links[at].path, path);
        memcpy(links[at].target, target, length);
        links[at].length = length;
        links[at].read = now();
    }
    ssize_t length = links[at].length < (ssize_t)size ? links[at].length : (ssize_t)size;
    memcpy(target, links[at].target, length);
    return length;
}

static int comes_late(DIR *folder, const char *name)
{
    struct stat made;
    int descriptor = dirfd(folder);
    if (descriptor < 0 || descriptor >= FILES || fstatat(descriptor, name, &made, AT_SYMLINK_NOFOLLOW))
        return 0;
    char of[64], path[PATH_MAX];
    snprintf(of, sizeof of, "/proc/self/fd/%d", descriptor);
    ssize_t length = REAL(readlink)(of, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = 0;
    return length > 0 && on_disk(AT_FDCWD, path) && made.st_gid != getegid()
        && now() - milliseconds(&made.st_ctim) < number("NETWORK_STALE") && chance(2);
}

#define READDIR(name, type) \
    struct type *name(DIR *folder) \
    { \
        struct type *entry; \
        do entry = REAL(name)(folder); \
        while (entry && entry->d_name[0] != '.' && comes_late(folder, entry->d_name)); \
        return entry; \
    }
READDIR(readdir, dirent)
READDIR(readdir64, dirent64)

static int is_gone(int descriptor)
{
    struct stat file;
    if (!getenv("NETWORK_READER") || descriptor < 0 || descriptor >= FILES || !shared[descriptor])
        return 0;
    if (fstat(descriptor, &file) || file.st_nlink)
        return 0;
    errno = ESTALE;
    return 1;
}

ssize_t read(int descriptor, void *into, size_t size)
{
    return is_gone(descriptor) ? -1 : REAL(read)(descriptor, into, size);
}

ssize_t pread(int descriptor, void *into, size_t size, off_t at)
{
    return is_gone(descriptor) ? -1 : REAL(pread)(descriptor, into, size, at);
}

ssize_t pread64(int descriptor, void *into, size_t size, off64_t at)
{
    return is_gone(descriptor) ? -1 : REAL(pread64)(descriptor, into, size, at);
}

#define FCNTL(name) \
    int name(int descriptor, int what, ...) \
    { \
        va_list given; va_start(given, what); void *with = va_arg(given, void *); va_end(given); \
        if (what == F_SETLEASE && getenv("NETWORK_DISK")) { errno = EAGAIN; return -1; } \
        return REAL(name)(descriptor, what, with); \
    }
FCNTL(fcntl)
FCNTL(fcntl64)
