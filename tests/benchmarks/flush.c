/* A disk that is always in the same mood: loaded before the program (LD_PRELOAD), it makes each flush of a file cost what
   it is told. Both sides of a measure have it; -1 is the real disk. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/prctl.h>
#include <time.h>

static long cost = -1;  /* nanoseconds a flush */
static long counted = 0;

void flush_costs(long nanoseconds) {
  prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0); /* else the kernel lets a sleep of 100 us last 150 */
  cost = nanoseconds;
}

long flushes(void) { return counted; }

static int flushed(int file, const char *name) {
  __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED);
  if (cost < 0) return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
  if (cost > 0) {
    struct timespec wait = {cost / 1000000000L, cost % 1000000000L};
    nanosleep(&wait, 0);
  }
  return 0;
}

int fsync(int file) { return flushed(file, "fsync"); }
int fdatasync(int file) { return flushed(file, "fdatasync"); }
