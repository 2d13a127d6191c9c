/*
 * A preloaded library (LD_PRELOAD) that makes the disk of one process slow or full, and records what a loss of power would undo.
 *
 * FAULTY_DISK_FOLDER   the files below this folder are on the faulty disk
 * FAULTY_DISK_CONTROL  a file of three native 32-bit numbers, which the test may change at any time: milliseconds that each sync takes,
 *                      1 if the disk is full, 1 if the disk ignores syncs
 * FAULTY_DISK_UNDO     optional: a folder. Before each write, the old bytes go into one file for each written file. A sync empties that
 *                      file, so it holds what a loss of power may undo. undo-unsynced-writes.ts reads it.
 *
 * Only contents and sizes are undone. Files are created, renamed and removed as on a file system that keeps the order of these changes.
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct control {
  volatile uint32_t sync_ms;
  volatile uint32_t is_full;
  volatile uint32_t ignores_syncs;
};

/* The header of one undo record; the old bytes follow. A range behind the old size has fewer old bytes than `length`, or none. */
struct record {
  uint64_t offset;
  uint64_t length;
  uint64_t old_size;
  uint64_t old_bytes;
};

enum { COPY_BYTES = 1 << 20 };

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static const struct control *control(void) {
  static struct control healthy;
  static struct control *mapped;
  if (mapped) return mapped;
  const char *path = getenv("FAULTY_DISK_CONTROL");
  int fd = path ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  void *page = fd < 0 ? MAP_FAILED : mmap(NULL, sizeof healthy, PROT_READ, MAP_SHARED, fd, 0);
  if (fd >= 0) close(fd);
  return mapped = page == MAP_FAILED ? &healthy : page;
}

static int is_on_disk(int fd) {
  const char *folder = getenv("FAULTY_DISK_FOLDER");
  if (!folder) return 0;
  char link[32], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path);
  size_t prefix = strlen(folder);
  return length > (ssize_t)prefix && path[prefix] == '/' && memcmp(path, folder, prefix) == 0;
}

static off_t size_of(int fd) {
  struct stat found;
  return fstat(fd, &found) == 0 ? found.st_size : 0;
}

/* Opens and locks the undo file. Inode and birth name the written file, so that renaming does not matter and a reused inode is another file. */
static int open_undo(int fd) {
  const char *folder = getenv("FAULTY_DISK_UNDO");
  struct statx found;
  if (!folder || statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &found) != 0) return -1;
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/%llu-%lld%09u", folder, (unsigned long long)found.stx_ino,
           (long long)found.stx_btime.tv_sec, found.stx_btime.tv_nsec);
  int undo = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (undo < 0 || flock(undo, LOCK_EX) != 0) abort();
  return undo;
}

static void put(int undo, const void *bytes, size_t length) {
  if (NEXT(write)(undo, bytes, length) != (ssize_t)length) abort();
}

/* A descriptor that can read. A second one is opened only where needed, because closing it releases all POSIX locks of the process. */
static int open_reader(int fd) {
  if ((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR) return fd;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  return open(link, O_RDONLY | O_CLOEXEC);
}

/* Records the old bytes of a range. */
static void record_old(int undo, int fd, off_t offset, off_t length) {
  if (undo < 0) return;
  off_t size = size_of(fd), behind = offset + length < size ? offset + length : size;
  off_t old = behind > offset ? behind - offset : 0;
  struct record head = {offset, length, size, old};
  put(undo, &head, sizeof head);
  if (old == 0) return;
  int reader = open_reader(fd);
  char *bytes = malloc(old < COPY_BYTES ? old : COPY_BYTES);
  if (reader < 0 || !bytes) abort();
  for (off_t done = 0; done < old;) {
    ssize_t count = pread(reader, bytes, old - done < COPY_BYTES ? old - done : COPY_BYTES, offset + done);
    if (count <= 0) abort();
    put(undo, bytes, count);
    done += count;
  }
  free(bytes);
  if (reader != fd) close(reader);
}

static int is_refused(int fd, off_t end) {
  if (!control()->is_full || end <= size_of(fd)) return 0;
  errno = ENOSPC;
  return 1;
}

static off_t position_of(int fd) {
  return fcntl(fd, F_GETFL) & O_APPEND ? size_of(fd) : lseek(fd, 0, SEEK_CUR);
}

static off_t total(const struct iovec *parts, int count) {
  off_t sum = 0;
  for (int i = 0; i < count; i++) sum += parts[i].iov_len;
  return sum;
}

/* Runs one changing call on a range of the faulty disk: refuses it when the disk is full, and records the old bytes before it. */
#define CHANGE(fd, at, length, failure, call)                    \
  do {                                                           \
    if (!is_on_disk(fd)) return call;                            \
    off_t at_ = (at), length_ = (length);                        \
    if (is_refused(fd, at_ + length_)) return failure;           \
    int undo_ = open_undo(fd);                                   \
    record_old(undo_, fd, at_, length_);                         \
    __typeof__(call) result_ = call;                             \
    int saved_ = errno;                                          \
    if (undo_ >= 0) close(undo_);                                \
    errno = saved_;                                              \
    return result_;                                              \
  } while (0)

ssize_t write(int fd, const void *bytes, size_t length) {
  CHANGE(fd, position_of(fd), length, -1, NEXT(write)(fd, bytes, length));
}
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t at) {
  CHANGE(fd, at, length, -1, NEXT(pwrite)(fd, bytes, length, at));
}
ssize_t pwrite64(int fd, const void *bytes, size_t length, off_t at) {
  CHANGE(fd, at, length, -1, NEXT(pwrite64)(fd, bytes, length, at));
}
ssize_t writev(int fd, const struct iovec *parts, int count) {
  CHANGE(fd, position_of(fd), total(parts, count), -1, NEXT(writev)(fd, parts, count));
}
ssize_t pwritev(int fd, const struct iovec *parts, int count, off_t at) {
  CHANGE(fd, at, total(parts, count), -1, NEXT(pwritev)(fd, parts, count, at));
}
ssize_t pwritev64(int fd, const struct iovec *parts, int count, off_t at) {
  CHANGE(fd, at, total(parts, count), -1, NEXT(pwritev64)(fd, parts, count, at));
}

/* A shorter file needs no space: what it loses is the range behind its new end. A longer one has a hole, which needs none either. */
#define RESIZE(fd, size, call)                                                     \
  do {                                                                             \
    if (!is_on_disk(fd)) return call;                                              \
    off_t lost_ = size_of(fd) - (size);                                            \
    int undo_ = open_undo(fd);                                                     \
    record_old(undo_, fd, size, lost_ > 0 ? lost_ : 0);                            \
    int result_ = call, saved_ = errno;                                            \
    if (undo_ >= 0) close(undo_);                                                  \
    errno = saved_;                                                                \
    return result_;                                                                \
  } while (0)

int ftruncate(int fd, off_t size) { RESIZE(fd, size, NEXT(ftruncate)(fd, size)); }
int ftruncate64(int fd, off_t size) { RESIZE(fd, size, NEXT(ftruncate64)(fd, size)); }
int fallocate(int fd, int mode, off_t at, off_t length) {
  CHANGE(fd, at, length, -1, NEXT(fallocate)(fd, mode, at, length));
}
int fallocate64(int fd, int mode, off_t at, off_t length) {
  CHANGE(fd, at, length, -1, NEXT(fallocate64)(fd, mode, at, length));
}
int posix_fallocate(int fd, off_t at, off_t length) {
  CHANGE(fd, at, length, ENOSPC, NEXT(posix_fallocate)(fd, at, length));
}
int posix_fallocate64(int fd, off_t at, off_t length) {
  CHANGE(fd, at, length, ENOSPC, NEXT(posix_fallocate64)(fd, at, length));
}

/* No write may come between the sync and the end of its undo records. */
#define SYNC(fd, call)                                                     \
  do {                                                                     \
    if (!is_on_disk(fd)) return call;                                      \
    if (control()->sync_ms) usleep(control()->sync_ms * 1000);             \
    int undo_ = open_undo(fd);                                             \
    int result_ = call, saved_ = errno;                                    \
    if (undo_ >= 0 && result_ == 0 && !control()->ignores_syncs)           \
      if (NEXT(ftruncate)(undo_, 0) != 0) abort();                         \
    if (undo_ >= 0) close(undo_);                                          \
    errno = saved_;                                                        \
    return result_;                                                        \
  } while (0)

int fsync(int fd) { SYNC(fd, NEXT(fsync)(fd)); }
int fdatasync(int fd) { SYNC(fd, NEXT(fdatasync)(fd)); }
