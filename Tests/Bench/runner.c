/* runner ROUNDS WARMUP [AT_ONCE]: times whole processes, in turn.
 *
 * Standard input has a line for each contender, its fields separated by tabs: a name, a file to read as standard input,
 * the exit code that it must have, the least number of bytes that it must write, a variable as NAME=VALUE for its
 * environment or nothing, then its arguments. In every round the
 * contenders run in their order, once each, or AT_ONCE times at the same moment. Standard output gets a line for each
 * round and contender behind the warm-up: name, seconds from before the start to after the end, peak memory in KiB.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

struct contender {
	char *name, *input;
	int status;
	long least;
	char *arguments[64];
	char *environment[256];
};

static double now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec + t.tv_nsec / 1e9;
}

static void fail(const char *what, const char *name)
{
	fprintf(stderr, "runner: %s: %s\n", name, what);
	exit(1);
}

/* One process, or several at once; the first one's output is read to its end, as a caller would. */
static double run(const struct contender *c, int at_once, long *memory)
{
	pid_t processes[1024];
	int ends[2];
	if (at_once > 1024 || pipe2(ends, O_CLOEXEC))
		fail(strerror(errno), c->name);
	double start = now();
	for (int i = 0; i < at_once; i++) {
		posix_spawn_file_actions_t actions;
		posix_spawn_file_actions_init(&actions);
		posix_spawn_file_actions_addopen(&actions, 0, c->input, O_RDONLY, 0);
		if (i == 0)
			posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
		else
			posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
		int failure = posix_spawnp(&processes[i], c->arguments[0], &actions, NULL, c->arguments, (char **)c->environment);
		posix_spawn_file_actions_destroy(&actions);
		if (failure)
			fail(strerror(failure), c->name);
	}
	close(ends[1]);
	char buffer[65536];
	long written = 0;
	ssize_t count;
	while ((count = read(ends[0], buffer, sizeof buffer)) > 0)
		written += count;
	close(ends[0]);
	*memory = 0;
	for (int i = 0; i < at_once; i++) {
		int status;
		struct rusage usage;
		if (wait4(processes[i], &status, 0, &usage) < 0 || !WIFEXITED(status) || WEXITSTATUS(status) != c->status)
			fail("did not end as it should", c->name);
		if (usage.ru_maxrss > *memory)
			*memory = usage.ru_maxrss;
	}
	double seconds = now() - start;
	if (written < c->least)
		fail("wrote less than it should", c->name);
	return seconds;
}

int main(int argc, char **argv)
{
	if (argc < 3 || argc > 4)
		fail("usage: runner ROUNDS WARMUP [AT_ONCE]", "runner");
	int rounds = atoi(argv[1]), warmup = atoi(argv[2]), at_once = argc > 3 ? atoi(argv[3]) : 1, count = 0;
	static struct contender contenders[16];
	char *line = NULL;
	size_t size = 0;
	while (count < 16 && getline(&line, &size, stdin) > 0) {
		struct contender *c = &contenders[count++];
		char *rest = strdup(line), *field;
		rest[strcspn(rest, "\n")] = 0;
		for (int i = 0; (field = strsep(&rest, "\t")) && i < 68; i++) {
			switch (i) {
			case 0: c->name = field; break;
			case 1: c->input = field; break;
			case 2: c->status = atoi(field); break;
			case 3: c->least = atol(field); break;
			case 4: c->environment[0] = *field ? field : NULL; break;
			default: c->arguments[i - 5] = field;
			}
		}
		int variables = c->environment[0] != NULL;
		for (char **variable = environ; *variable && variables < 255; variable++)
			c->environment[variables++] = *variable;
		if (!c->arguments[0])
			fail("a contender has no command", c->name ? c->name : "runner");
	}
	for (int round = -warmup; round < rounds; round++) {
		for (int i = 0; i < count; i++) {
			const struct contender *c = &contenders[i];
			long memory;
			double seconds = run(c, at_once, &memory);
			if (round >= 0)
				printf("%s\t%.6f\t%ld\n", c->name, seconds, memory);
		}
	}
	return 0;
}
