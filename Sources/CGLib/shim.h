// GLib, GObject and GIO for Swift. Static inlines stand only for what Swift cannot import: varargs, macros and
// calls that glibc declares under _GNU_SOURCE.
#pragma once
#include <fcntl.h>
#include <gio/gdesktopappinfo.h>
#include <gio/gio.h>
#include <gio/gunixfdlist.h>
#include <glib-unix.h>
#include <glib.h>
#include <spawn.h>
#include <sys/prctl.h>

/// Value of POSIX_SPAWN_SETSID, which <spawn.h> hides without _GNU_SOURCE.
static const short mojoauth_spawn_setsid = 0x80;

/// prctl(PR_SET_DUMPABLE, 0): no core file, no ptrace by another process of the same user. 0 on success.
static inline int mojoauth_set_not_dumpable(void) {
    return prctl(PR_SET_DUMPABLE, 0, 0, 0, 0);
}

/// prctl(PR_GET_DUMPABLE): 0 after mojoauth_set_not_dumpable().
static inline int mojoauth_is_dumpable(void) {
    return prctl(PR_GET_DUMPABLE, 0, 0, 0, 0);
}

/// prctl(PR_SET_PDEATHSIG, signal): this process gets `signal` when the thread that started it ends.
static inline int mojoauth_set_parent_death_signal(int signal) {
    return prctl(PR_SET_PDEATHSIG, signal, 0, 0, 0);
}

/// Lets a child of posix_spawn close every descriptor from `first` up; <spawn.h> hides the call without _GNU_SOURCE.
static inline int mojoauth_spawn_close_from(posix_spawn_file_actions_t *actions, int first) {
    extern int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *, int);
    return posix_spawn_file_actions_addclosefrom_np(actions, first);
}

/// memfd_create(2), which <sys/mman.h> hides without _GNU_SOURCE: a file in memory alone, close-on-exec, that can be
/// sealed. -1 and errno when there is none to be had.
static inline int mojoauth_memory_file(const char *name) {
    extern int memfd_create(const char *, unsigned int);
    return memfd_create(name, 0x1 | 0x2);
}

/// F_ADD_SEALS with all seals, which <fcntl.h> hides likewise: nobody writes to it, or changes its size, any more.
static inline int mojoauth_seal(int descriptor) {
    return fcntl(descriptor, 1033, 0x1 | 0x2 | 0x4 | 0x8);
}

/// The socket below a stream; NULL where there is none.
static inline GSocket *mojoauth_stream_socket(GIOStream *stream) {
    return G_IS_SOCKET_CONNECTION(stream) ? g_socket_connection_get_socket(G_SOCKET_CONNECTION(stream)) : NULL;
}
