/* A disk that fails: loaded before the program (LD_PRELOAD), it lets the flushes of one file fail with EIO. FAILING_FILE is
   the end of its name; FAILING_FLUSHES are the first and last failing flush, from 1, for instance 2-3. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static long counted = 0;

static int is_meant(int file) {
  char link[64], name[PATH_MAX];
  const char *end = getenv("FAILING_FILE");
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, name, sizeof name - 1);
  if (length < 0 || !end || (size_t)length < strlen(end)) return 0;
  name[length] = 0;
  return !strcmp(name + length - strlen(end), end);
}

static int flushed(int file, const char *name) {
  long first = 0, last = -1;
  if (is_meant(file)) {
    long number = __atomic_add_fetch(&counted, 1, __ATOMIC_RELAXED);
    sscanf(getenv("FAILING_FLUSHES"), "%ld-%ld", &first, &last);
    if (first <= number && number <= last) {
      errno = EIO;
      return -1;
    }
  }
  return ((int (*)(int))dlsym(RTLD_NEXT, name))(file);
}

int fsync(int file) { return flushed(file, "fsync"); }
int fdatasync(int file) { return flushed(file, "fdatasync"); }
