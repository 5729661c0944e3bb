// Stands between a program and its files: LD_PRELOAD it (Linux, 64 bits).
//
// Everything that changes a file below CRASH_FOLDER is one numbered operation: opening to write,
// writing, truncating, allocating, syncing, unlinking, renaming, linking, making a folder. It can be
// recorded with its data, fail, or be the program's last. Nothing else is touched.
//
//   CRASH_FOLDER  the folder, absolute and without symbolic links; without it this does nothing
//   CRASH_LOG     appends a record of each operation that was carried out, and of what went to
//                 standard output, in the one order in which all processes did them
//   CRASH_FAIL    "K ERRNO MODE": the K-th operation fails, by MODE
//                   once      this one alone
//                   forever   it and all behind it
//                   short     it writes only half, and all behind it fail
//                   partial   it writes only half, and says so; nothing fails
//                 A disk that fails with ENOSPC says by statvfs that it is full.
//   CRASH_KILL    "K before" or "K middle": SIGKILL before the K-th operation, or half-way through
//                 its write
//   CRASH_READS   if set, reading is what is counted, and can fail, instead of what changes files
//   CRASH_PAUSE   microseconds to wait before each operation, so that a kill from outside finds it
//   CRASH_CLOCK   seconds since 1970 at which every clock of the day stands still
//   CRASH_THREADS how many threads can run at once, beside the first
//   CRASH_MOUNTS  a file to be read in the place of /proc/self/mountinfo
//
// Recording and doing are one step for all processes (the log is locked meanwhile): the order of the
// log is the order of the disk. System calls are made directly, which needs no look-up of the
// functions that are replaced here.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

// MARK: What was asked for

enum mode { NEVER, ONCE, FOREVER, SHORT, PARTIAL, BEFORE, MIDDLE };

static char folder[PATH_MAX];
static size_t folderLength;
static int log_ = -1;
static struct stat output;
static long failAt, killAt, pause_, clock_;
static const char *mounts;
static int failWith;
static enum mode failMode, killMode;
static bool hasClock, countsReads, countsThreads;
static _Atomic long threadsLeft;

static enum mode modeNamed(const char *name) {
  static const char *const names[] = {"never",   "once",   "forever", "short",
                                      "partial", "before", "middle"};
  for (enum mode mode = NEVER; mode <= MIDDLE; mode++)
    if (strcmp(name, names[mode]) == 0) return mode;
  dprintf(2, "crash shim: no mode '%s'\n", name);
  abort();
}

static long number(const char *variable) {
  const char *text = getenv(variable);
  return text ? strtol(text, NULL, 0) : 0;
}

__attribute__((constructor)) static void readEnvironment(void) {
  const char *text = getenv("CRASH_FOLDER");
  if (!text) return;
  snprintf(folder, sizeof folder, "%s", text);
  folderLength = strlen(folder);
  char mode[16] = "never";
  if ((text = getenv("CRASH_FAIL"))) sscanf(text, "%ld %d %15s", &failAt, &failWith, mode);
  failMode = modeNamed(mode);
  strcpy(mode, "never");
  if ((text = getenv("CRASH_KILL"))) sscanf(text, "%ld %15s", &killAt, mode);
  killMode = modeNamed(mode);
  countsReads = getenv("CRASH_READS") != NULL;
  pause_ = number("CRASH_PAUSE");
  mounts = getenv("CRASH_MOUNTS");
  countsThreads = getenv("CRASH_THREADS") != NULL;
  threadsLeft = number("CRASH_THREADS");
  hasClock = getenv("CRASH_CLOCK") != NULL;
  clock_ = number("CRASH_CLOCK");
  fstat(1, &output);
  if (!(text = getenv("CRASH_LOG"))) return;
  int opened = syscall(SYS_openat, AT_FDCWD, text, O_WRONLY | O_APPEND | O_CREAT, 0600);
  // Out of the way: the program is to find the descriptors that it would find without us.
  log_ = fcntl(opened, F_DUPFD_CLOEXEC, 900);
  if (log_ < 0) dprintf(2, "crash shim: the log can't be opened: %s\n", strerror(errno)), abort();
  syscall(SYS_close, opened);
}

// MARK: The log

struct record {
  uint32_t kind;     // a letter
  uint32_t number;   // which operation of its process; 0 for what is not counted
  uint32_t process;
  uint32_t isNew;    // for o: the file was not there before; for s: it is a folder
  uint64_t file;     // the inode
  int64_t offset;    // for 't' and 'a': the size
  uint32_t pathLength;
  uint32_t dataLength;
};

static void append(struct record record, const char *path, const void *data) {
  if (log_ < 0) return;
  record.process = getpid();
  record.pathLength = strlen(path);
  struct iovec parts[] = {
      {&record, sizeof record},
      {(void *)path, record.pathLength},
      {(void *)data, record.dataLength},
  };
  size_t length = sizeof record + record.pathLength + record.dataLength;
  if (syscall(SYS_writev, log_, parts, 3) == (long)length) return;
  dprintf(2, "crash shim: the log can't be written: %s\n", strerror(errno));
  abort();
}

// MARK: What is watched

/// The path below the folder, or NULL if it is elsewhere; the folder itself is "".
static const char *below(const char *path) {
  if (!folderLength || strncmp(path, folder, folderLength) != 0) return NULL;
  path += folderLength;
  return *path == '/' ? path + 1 : *path == 0 ? path : NULL;
}

static const char *named(int directory, const char *path, char *buffer) {
  if (*path == '/' || directory != AT_FDCWD) return *path == '/' ? below(path) : NULL;
  if (!folderLength || !getcwd(buffer, PATH_MAX)) return NULL;
  size_t length = strlen(buffer);
  snprintf(buffer + length, PATH_MAX - length, "/%s", path);
  return below(buffer);
}

static const char *described(int descriptor, char *buffer) {
  if (!folderLength) return NULL;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
  ssize_t length = readlink(link, buffer, PATH_MAX - 1);
  if (length < 0) return NULL;
  buffer[length] = 0;
  static const char deleted[] = " (deleted)";
  size_t tail = sizeof deleted - 1;
  if ((size_t)length > tail && strcmp(buffer + length - tail, deleted) == 0)
    buffer[length - tail] = 0;
  return below(buffer);
}

static uint64_t inode(int descriptor) {
  struct stat status;
  return fstat(descriptor, &status) == 0 ? status.st_ino : 0;
}

static bool isOutput(int descriptor) {
  struct stat status;
  return folderLength && fstat(descriptor, &status) == 0 && status.st_ino == output.st_ino &&
         status.st_dev == output.st_dev;
}

// MARK: One operation

enum verdict { GO, HALF, HALF_THEN_DIE, FAIL };

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static long count;

static void lock(void) {
  pthread_mutex_lock(&mutex);
  if (log_ >= 0) syscall(SYS_flock, log_, LOCK_EX);
}

static void unlock(void) {
  int code = errno;
  if (log_ >= 0) syscall(SYS_flock, log_, LOCK_UN);
  pthread_mutex_unlock(&mutex);
  errno = code;
}

static void die(void) {
  syscall(SYS_kill, getpid(), SIGKILL);
  while (true) pause();
}

/// Begins an operation, and says what is to become of it. Whoever gets FAIL returns -1 at once.
static enum verdict begin(char kind, const char *name) {
  if (pause_) {
    struct timespec time = {pause_ / 1000000, pause_ % 1000000 * 1000};
    syscall(SYS_nanosleep, &time, NULL);
  }
  lock();
  if ((kind == 'R') != countsReads) return GO;
  count++;
  bool isWrite = kind == 'w';
  struct record fault = {.kind = 'f', .number = count, .dataLength = 1};
  if (killMode == BEFORE && count == killAt) die();
  if (killMode == MIDDLE && count == killAt) return isWrite ? HALF_THEN_DIE : (die(), FAIL);
  bool isHalf = isWrite && count == failAt && (failMode == SHORT || failMode == PARTIAL);
  if (isHalf) return append(fault, name, &kind), HALF;
  bool fails = failMode == ONCE || failMode == PARTIAL ? count == failAt : count >= failAt;
  if (failMode == NEVER || failMode == PARTIAL || !fails) return GO;
  append(fault, name, &kind);
  unlock();
  errno = failWith;
  return FAIL;
}

/// Ends it: what was carried out is recorded, and gives its result.
static long end(enum verdict verdict, long result, struct record record, const char *path,
                const void *data) {
  if (!countsReads) record.number = count;
  if (result >= 0) append(record, path, data);
  if (verdict == HALF_THEN_DIE) die();
  unlock();
  return result;
}

// MARK: Opening

static int openFile(int directory, const char *path, int flags, mode_t mode) {
  char buffer[PATH_MAX];
  if (mounts && strcmp(path, "/proc/self/mountinfo") == 0) path = mounts;
  const char *name = named(directory, path, buffer);
  if (!name || !(flags & (O_WRONLY | O_RDWR | O_CREAT | O_TRUNC)))
    return syscall(SYS_openat, directory, path, flags, mode);
  enum verdict verdict = begin('o', name);
  if (verdict == FAIL) return -1;
  struct stat before;
  bool isNew = fstatat(directory, path, &before, 0) != 0;
  int descriptor = syscall(SYS_openat, directory, path, flags, mode);
  if (descriptor >= 0 && !isNew && flags & O_TRUNC)
    append((struct record){.kind = 't', .number = count, .file = inode(descriptor)}, name, "");
  struct record record = {.kind = 'o', .isNew = isNew, .file = inode(descriptor)};
  return end(verdict, descriptor, record, name, "");
}

#define MODE(flags, mode)             \
  mode_t mode = 0;                    \
  if (flags & (O_CREAT | O_TMPFILE)) { \
    va_list rest;                     \
    va_start(rest, flags);            \
    mode = va_arg(rest, mode_t);      \
    va_end(rest);                     \
  }

int open(const char *path, int flags, ...) {
  MODE(flags, mode)
  return openFile(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  MODE(flags, mode)
  return openFile(AT_FDCWD, path, flags, mode);
}

int openat(int directory, const char *path, int flags, ...) {
  MODE(flags, mode)
  return openFile(directory, path, flags, mode);
}

int openat64(int directory, const char *path, int flags, ...) {
  MODE(flags, mode)
  return openFile(directory, path, flags, mode);
}

// MARK: Writing

static size_t part(enum verdict verdict, size_t size) {
  return verdict == HALF || verdict == HALF_THEN_DIE ? size / 2 : size;
}

static ssize_t writeAt(int descriptor, const void *data, size_t size, off_t offset) {
  char buffer[PATH_MAX];
  const char *name = described(descriptor, buffer);
  if (!name) return syscall(SYS_pwrite64, descriptor, data, size, offset);
  enum verdict verdict = begin('w', name);
  if (verdict == FAIL) return -1;
  long written = syscall(SYS_pwrite64, descriptor, data, part(verdict, size), offset);
  struct record record = {.kind = 'w', .file = inode(descriptor), .offset = offset};
  if (written > 0) record.dataLength = written;
  return end(verdict, written, record, name, data);
}

/// Where a descriptor that is written to without an offset writes.
static off_t position(int descriptor) {
  struct stat status;
  if (fcntl(descriptor, F_GETFL) & O_APPEND) return fstat(descriptor, &status) ? 0 : status.st_size;
  return lseek(descriptor, 0, SEEK_CUR);
}

static ssize_t acknowledge(int descriptor, const void *data, size_t size) {
  lock();
  long written = syscall(SYS_write, descriptor, data, size);
  struct record record = {.kind = 'p'};
  if (written > 0) {
    record.dataLength = written;
    append(record, "", data);
  }
  unlock();
  return written;
}

ssize_t write(int descriptor, const void *data, size_t size) {
  char buffer[PATH_MAX];
  if (isOutput(descriptor)) return acknowledge(descriptor, data, size);
  const char *name = described(descriptor, buffer);
  if (!name) return syscall(SYS_write, descriptor, data, size);
  enum verdict verdict = begin('w', name);
  if (verdict == FAIL) return -1;
  struct record record = {.kind = 'w', .file = inode(descriptor), .offset = position(descriptor)};
  long written = syscall(SYS_write, descriptor, data, part(verdict, size));
  if (written > 0) record.dataLength = written;
  return end(verdict, written, record, name, data);
}

ssize_t pwrite(int descriptor, const void *data, size_t size, off_t offset) {
  return writeAt(descriptor, data, size, offset);
}

ssize_t pwrite64(int descriptor, const void *data, size_t size, off64_t offset) {
  return writeAt(descriptor, data, size, offset);
}

/// Several parts are written as several: nobody may rely on more.
static ssize_t writeParts(int descriptor, const struct iovec *parts, int count, off_t offset) {
  ssize_t sum = 0;
  for (int index = 0; index < count; index++) {
    const struct iovec *part = &parts[index];
    ssize_t written = offset < 0 ? write(descriptor, part->iov_base, part->iov_len)
                                 : writeAt(descriptor, part->iov_base, part->iov_len, offset + sum);
    if (written < 0) return sum > 0 ? sum : -1;
    sum += written;
    if ((size_t)written < part->iov_len) break;
  }
  return sum;
}

ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  return writeParts(descriptor, parts, count, -1);
}

ssize_t pwritev(int descriptor, const struct iovec *parts, int count, off_t offset) {
  return writeParts(descriptor, parts, count, offset);
}

ssize_t pwritev64(int descriptor, const struct iovec *parts, int count, off64_t offset) {
  return writeParts(descriptor, parts, count, offset);
}

// Copies inside the kernel would go past us: whoever tries them falls back to reading and writing.

ssize_t copy_file_range(int from, off64_t *fromOffset, int to, off64_t *toOffset, size_t size,
                        unsigned flags) {
  char buffer[PATH_MAX];
  if (described(to, buffer)) return errno = ENOSYS, -1;
  return syscall(SYS_copy_file_range, from, fromOffset, to, toOffset, size, flags);
}

ssize_t sendfile(int to, int from, off_t *offset, size_t size) {
  char buffer[PATH_MAX];
  if (described(to, buffer)) return errno = EINVAL, -1;
  return syscall(SYS_sendfile, to, from, offset, size);
}

// MARK: Reading

static ssize_t readAt(int descriptor, void *data, size_t size, off_t offset) {
  char buffer[PATH_MAX];
  const char *name = countsReads ? described(descriptor, buffer) : NULL;
  if (name) {
    if (begin('R', name) == FAIL) return -1;
    unlock();
  }
  return offset < 0 ? syscall(SYS_read, descriptor, data, size)
                    : syscall(SYS_pread64, descriptor, data, size, offset);
}

ssize_t read(int descriptor, void *data, size_t size) { return readAt(descriptor, data, size, -1); }

ssize_t pread(int descriptor, void *data, size_t size, off_t offset) {
  return readAt(descriptor, data, size, offset);
}

ssize_t pread64(int descriptor, void *data, size_t size, off64_t offset) {
  return readAt(descriptor, data, size, offset);
}

// MARK: Sizes

static int resize(int descriptor, off_t size) {
  char buffer[PATH_MAX];
  const char *name = described(descriptor, buffer);
  if (!name) return syscall(SYS_ftruncate, descriptor, size);
  enum verdict verdict = begin('t', name);
  if (verdict == FAIL) return -1;
  long result = syscall(SYS_ftruncate, descriptor, size);
  struct record record = {.kind = 't', .file = inode(descriptor), .offset = size};
  return end(verdict, result, record, name, "");
}

int ftruncate(int descriptor, off_t size) { return resize(descriptor, size); }
int ftruncate64(int descriptor, off64_t size) { return resize(descriptor, size); }

static int allocate(int descriptor, int mode, off_t offset, off_t size) {
  char buffer[PATH_MAX];
  const char *name = described(descriptor, buffer);
  if (!name) return syscall(SYS_fallocate, descriptor, mode, offset, size);
  enum verdict verdict = begin('a', name);
  if (verdict == FAIL) return -1;
  long result = syscall(SYS_fallocate, descriptor, mode, offset, size);
  struct record record = {.kind = 'a', .file = inode(descriptor), .offset = offset + size};
  return end(verdict, result, record, name, "");
}

int fallocate(int descriptor, int mode, off_t offset, off_t size) {
  return allocate(descriptor, mode, offset, size);
}

int fallocate64(int descriptor, int mode, off64_t offset, off64_t size) {
  return allocate(descriptor, mode, offset, size);
}

int posix_fallocate(int descriptor, off_t offset, off_t size) {
  return allocate(descriptor, 0, offset, size) < 0 ? errno : 0;
}

int posix_fallocate64(int descriptor, off64_t offset, off64_t size) {
  return allocate(descriptor, 0, offset, size) < 0 ? errno : 0;
}

// MARK: Syncing

static int sync_(long call, int descriptor) {
  char buffer[PATH_MAX];
  const char *name = described(descriptor, buffer);
  if (!name) return syscall(call, descriptor);
  enum verdict verdict = begin('s', name);
  if (verdict == FAIL) return -1;
  struct stat status = {0};
  fstat(descriptor, &status);
  struct record record = {.kind = 's', .isNew = S_ISDIR(status.st_mode), .file = status.st_ino};
  return end(verdict, syscall(call, descriptor), record, name, "");
}

int fsync(int descriptor) { return sync_(SYS_fsync, descriptor); }
int fdatasync(int descriptor) { return sync_(SYS_fdatasync, descriptor); }

// MARK: Names

static int removeName(int directory, const char *path, int flags) {
  char buffer[PATH_MAX];
  const char *name = named(directory, path, buffer);
  if (!name) return syscall(SYS_unlinkat, directory, path, flags);
  enum verdict verdict = begin('u', name);
  if (verdict == FAIL) return -1;
  long result = syscall(SYS_unlinkat, directory, path, flags);
  return end(verdict, result, (struct record){.kind = 'u'}, name, "");
}

int unlink(const char *path) { return removeName(AT_FDCWD, path, 0); }
int rmdir(const char *path) { return removeName(AT_FDCWD, path, AT_REMOVEDIR); }

int unlinkat(int directory, const char *path, int flags) {
  return removeName(directory, path, flags);
}

/// Renames and links are recorded with the new name as data.
static int twoNames(char kind, int oldDirectory, const char *old, int newDirectory,
                    const char *new) {
  char oldBuffer[PATH_MAX], newBuffer[PATH_MAX];
  const char *oldName = named(oldDirectory, old, oldBuffer);
  const char *newName = named(newDirectory, new, newBuffer);
  long call = kind == 'r' ? SYS_renameat2 : SYS_linkat;
  if (!oldName || !newName) return syscall(call, oldDirectory, old, newDirectory, new, 0);
  enum verdict verdict = begin(kind, oldName);
  if (verdict == FAIL) return -1;
  long result = syscall(call, oldDirectory, old, newDirectory, new, 0);
  struct record record = {.kind = kind, .dataLength = strlen(newName)};
  return end(verdict, result, record, oldName, newName);
}

int rename(const char *old, const char *new) {
  return twoNames('r', AT_FDCWD, old, AT_FDCWD, new);
}

int renameat(int oldDirectory, const char *old, int newDirectory, const char *new) {
  return twoNames('r', oldDirectory, old, newDirectory, new);
}

int link(const char *old, const char *new) { return twoNames('l', AT_FDCWD, old, AT_FDCWD, new); }

int mkdir(const char *path, mode_t mode) {
  char buffer[PATH_MAX];
  const char *name = named(AT_FDCWD, path, buffer);
  if (!name) return syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  enum verdict verdict = begin('m', name);
  if (verdict == FAIL) return -1;
  long result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  return end(verdict, result, (struct record){.kind = 'm'}, name, "");
}

// MARK: Clocks

int clock_gettime(clockid_t clock, struct timespec *time) {
  if (!hasClock || (clock != CLOCK_REALTIME && clock != CLOCK_REALTIME_COARSE))
    return syscall(SYS_clock_gettime, clock, time);
  *time = (struct timespec){clock_, 0};
  return 0;
}

int gettimeofday(struct timeval *restrict time, void *restrict zone) {
  (void)zone;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *result) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (result) *result = now.tv_sec;
  return now.tv_sec;
}

// MARK: Threads

struct work {
  void *(*body)(void *);
  void *argument;
};

static void giveBack(void *nothing) {
  (void)nothing;
  threadsLeft++;
}

static void *run(void *argument) {
  struct work work = *(struct work *)argument;
  free(argument);
  void *result;
  pthread_cleanup_push(giveBack, NULL);
  result = work.body(work.argument);
  pthread_cleanup_pop(1);
  return result;
}

int pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *),
                   void *argument) {
  int (*create)(pthread_t *, const pthread_attr_t *, void *(*)(void *), void *) =
      dlsym(RTLD_NEXT, "pthread_create");
  if (!countsThreads) return create(thread, attributes, body, argument);
  if (threadsLeft-- <= 0) return threadsLeft++, EAGAIN;
  struct work *work = malloc(sizeof *work);
  *work = (struct work){body, argument};
  int status = create(thread, attributes, run, work);
  if (status != 0) threadsLeft++, free(work);
  return status;
}

// MARK: File systems

// A disk that is made to be full says so.

int statvfs64(const char *path, struct statvfs64 *status) {
  char buffer[PATH_MAX];
  struct statfs found;
  if (syscall(SYS_statfs, path, &found) != 0) return -1;
  bool isFull = failMode != NEVER && failWith == ENOSPC && named(AT_FDCWD, path, buffer);
  *status = (struct statvfs64){
      .f_bsize = found.f_bsize,
      .f_frsize = found.f_frsize,
      .f_blocks = found.f_blocks,
      .f_bfree = isFull ? 0 : found.f_bfree,
      .f_bavail = isFull ? 0 : found.f_bavail,
      .f_files = found.f_files,
      .f_ffree = found.f_ffree,
      .f_favail = found.f_ffree,
      .f_namemax = found.f_namelen,
  };
  return 0;
}

int statvfs(const char *path, struct statvfs *status) {
  return statvfs64(path, (struct statvfs64 *)status);
}
