/* Starts every program of a list, a few at a time, and waits for all: the least that any launcher must do.
 *
 *   launch LIST PARALLEL         output of each to /dev/null            (row L1)
 *   launch LIST PARALLEL logs    output of each to a new file of its own (row L2)
 *
 * LIST has a line "PROGRAM LOG" for each job. The paths come from the bench, so that no hash is needed here.
 * Ends with 1 when anything could not be started or did not end with 0.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static void give_up(const char *what, const char *path, int code) {
  fprintf(stderr, "launch: %s %s: %s\n", what, path, strerror(code));
  exit(1);
}

/* O_EXCL and O_APPEND as in the launchers of jobnet: the claim of an attempt, then its output. */
static int create_log(char *path) {
  const int flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC;
  int fd = open(path, flags, 0644);
  if (fd < 0 && errno == ENOENT) {
    /* Folders are made on first need, which is part of the cost of the layout. */
    char *slash = strrchr(path, '/');
    *slash = '\0';
    mkdir(path, 0755);
    *slash = '/';
    fd = open(path, flags, 0644);
  }
  if (fd < 0) give_up("create", path, errno);
  return fd;
}

static void start(char *program, char *log) {
  char *arguments[] = {program, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
  int fd = -1;
  if (log) {
    fd = create_log(log);
    posix_spawn_file_actions_adddup2(&actions, fd, 1);
  } else {
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
  }
  posix_spawn_file_actions_adddup2(&actions, 1, 2);
  pid_t pid;
  int code = posix_spawn(&pid, program, &actions, NULL, arguments, environ);
  if (code != 0) give_up("start", program, code);
  posix_spawn_file_actions_destroy(&actions);
  if (fd >= 0) close(fd);
}

static void wait_for_one(void) {
  int status;
  pid_t pid;
  while ((pid = wait(&status)) < 0 && errno == EINTR) continue;
  if (pid < 0) give_up("wait for", "a job", errno);
  if (status == 0) return;
  fprintf(stderr, "launch: a job ended with wait status %d\n", status);
  exit(1);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: launch LIST PARALLEL [logs]\n");
    return 2;
  }
  FILE *list = fopen(argv[1], "re");
  if (!list) give_up("open", argv[1], errno);
  const int parallel = atoi(argv[2]);
  const int with_logs = argc > 3;
  int running = 0;
  char line[4096];
  while (fgets(line, sizeof line, list)) {
    char *program = strtok(line, " \n");
    char *log = strtok(NULL, " \n");
    if (running == parallel) {
      wait_for_one();
      running--;
    }
    start(program, with_logs ? log : NULL);
    running++;
  }
  for (; running > 0; running--) wait_for_one();
  return 0;
}
