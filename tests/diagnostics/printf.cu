// arch: tu102
// Formats that do not fit their arguments, and what cannot be printed.
#include <stdio.h>
struct Pair { int a, b; };
__global__ void fits(const char *text, long long n, double x, const int *p)
{
    char letters[4] = "abc";
    printf("%s %s %lld %5.2f %p %c %hhd %d %% %*d\n", text, letters, n, x, p, 'a', 7, true, 3, 4);
    printf(text, n);
}
__global__ void wrong(int i, float x, int *p, Pair pair)
{
    printf("%f %d\n", i, x);
//~ 23 warning: This argument is incompatible with its format string conversion: `%f` prints a floating-point number, not `int`.
//~ 26 warning: This argument is incompatible with its format string conversion: `%d` prints a 32-bit integer, not `float`.
    printf("%s\n", i);
//~ 20 warning: This argument is incompatible with its format string conversion: `%s` prints a string, not `int`.
    printf("%ld %d\n", i, (long long)i);
//~ 24 warning: This argument is incompatible with its format string conversion: `%ld` prints a 64-bit integer, not `int`.
//~ 27 warning: This argument is incompatible with its format string conversion: `%d` prints a 32-bit integer, not `long long`.
    printf("%d %d\n", i);
//~ 12 warning: The format string requires additional arguments: `%d` has none.
    printf("%d\n", i, i);
//~ 23 warning: The format string ends before this argument.
    printf("%y %.*f\n", x, x);
//~ 12 warning: Unrecognized format string conversion `%y`; write `%%` for a percent sign.
//~ 25 warning: The `*` of `%.*f` takes an `int`, not `float`.
    printf("%d\n", pair);
//~ 20 error: `printf` cannot print `Pair`; print its members one by one.
    printf(i);
//~ 12 error: The format of `printf` must be a string, not `int`.
}
