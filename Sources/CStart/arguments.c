// Where CommandLine.arguments come from in a program that starts often.
//
// Swift's runtime looks for them before main, by reading the kernel's list of all mappings of the process: a hundred
// lines, 0.3 ms, a twentieth of a `get`. glibc hands them to every constructor. The definitions are weak: should the
// runtime's own be linked as well, they win.

static int count;
static char **values;

__attribute__((constructor)) static void note(int argument_count, char **arguments) {
    count = argument_count;
    values = arguments;
}

/// The runtime's function of this name: argv, and argc by reference.
__attribute__((weak)) char **_swift_stdlib_getUnsafeArgvArgc(int *argument_count) {
    *argument_count = count;
    return values;
}

/// The runtime's function of this name, for whoever embeds it.
__attribute__((weak)) void _swift_stdlib_overrideUnsafeArgvArgc(char **arguments, int argument_count) {
    count = argument_count;
    values = arguments;
}
