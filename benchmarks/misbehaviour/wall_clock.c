/* Preloaded into programs (LD_PRELOAD): the clock on the wall is off by so many seconds as WALL_CLOCK says.
   Clocks that only count stay right, so that who waits waits as long as ever; under libfaketime 0.9.10
   Python's waits never end. */

#define _GNU_SOURCE
#include <dlfcn.h>
#include <semaphore.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t off_by(void)
{
    const char *said = getenv("WALL_CLOCK");
    return said == NULL ? 0 : atoll(said);
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    int failed = syscall(SYS_clock_gettime, clock, now);
    if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
        now->tv_sec += off_by();
    return failed;
}

time_t time(time_t *also)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (also != NULL)
        *also = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone)
{
    (void)zone;
    struct timespec exact;
    int failed = clock_gettime(CLOCK_REALTIME, &exact);
    now->tv_sec = exact.tv_sec;
    now->tv_usec = exact.tv_nsec / 1000;
    return failed;
}

/* The kernel waits by the right clock until a time that was reckoned by the wrong one. */
int sem_timedwait(sem_t *restrict semaphore, const struct timespec *restrict until)
{
    static int (*real)(sem_t *, const struct timespec *);
    if (real == NULL)
        *(void **)&real = dlsym(RTLD_NEXT, "sem_timedwait");
    struct timespec right = *until;
    right.tv_sec -= off_by();
    return real(semaphore, &right);
}
