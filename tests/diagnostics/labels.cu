// Labels: what `goto` and the cases of a `switch` can jump to.
__device__ int ends_after_its_label(int a) { goto out; out: a = 3; }
//~ 68 warning: Missing return statement at end of non-void function `ends_after_its_label`.
__device__ int returns_after_its_label(int a) { if (a > 2) goto out; return 1; out: return 2; }
__device__ int loops_by_its_label(int a) { again: if (a < 9) { a *= 2; goto again; } return a; }
__device__ int never_ends(volatile int *a) { again: a[0] = 1; goto again; }
__device__ int is_entered_from_above(int a)
{
    if (a > 2) goto inside;
    return 1;
    while (a > 0) {
        a -= 2;
    inside:
        --a;
    }
}
//~ 1 warning: Missing return statement at end of non-void function `is_entered_from_above`.

__global__ void wherever_a_statement_stands(int *p, int n)
{
    int l = 0;
    goto l;
l:
    int declared = p[0];
    if (n == 1) within: p[1] = declared; else goto within;
    for (int i = 0; i < n; ++i) { p[i] = i; goto next; next: ; }
    switch (n) { case 1: goto third; case 3: third: p[3] = l; }
    goto end;
    { inner: p[4] = 1; }
    goto inner;
end:
}

__global__ void what_is_skipped(int *p, int n)
{
    goto first;
//~ 5 error: This `goto` bypasses the initialization of `v`; declare `v` before the `goto`.
//~ note: `v` is declared here.
    int v = 3;
    p[0] = v;
first:
    goto second;
//~ 5 error: This `goto` bypasses the initialization of `i`; declare `i` before the `goto`.
//~ note: `i` is declared here.
    for (int i = 0; i < n; ++i) { second: p[i] = 1; }
    goto third;
//~ 5 error: This `goto` bypasses the initialization of `r`; declare `r` before the `goto`.
//~ note: `r` is declared here.
    int &r = p[1];
    int without, list[4];
    __shared__ int shared[4];
    static int kept = 3;
third:
    { int left = n; p[2] = left; goto fourth; }
fourth:
    p[3] = r;
    goto fifth;
//~ 5 error: This `goto` bypasses the initialization of `made`; declare `made` before the `goto`.
//~ note: `made` is declared here.
    dim3 made;
fifth:
    p[4] = made.x;
}

__global__ void undefined(int *p) { goto missing; }
//~ 37 error: The label `missing` is referenced but not defined.
__global__ void twice(int *p) { goto a; a: p[0] = 1; a: p[1] = 2; }
//~ 54 error: The label `a` has already been defined.
//~ note: First defined here.
__global__ void unused(int *p) { a: p[0] = 1; }
//~ 34 warning: The label `a` is declared but never referenced.
__global__ void computed(int *p) { goto *p; }
//~ 41 error: Expected a name of a label after `goto`, not `*`.
__device__ void other(int *p) { goto elsewhere; elsewhere: p[0] = 1; }
__global__ void of_another_function(int *p) { goto elsewhere; }
//~ 47 error: The label `elsewhere` is referenced but not defined.

__global__ void inner_cases(int *p, const int *q, int n)
{
    int k = (n + 3) / 4;
    switch (n % 4) {
    case 0:
        do {
            *p++ = *q++;
    case 3: *p++ = *q++;
    case 2: *p++ = *q++;
    case 1: *p++ = *q++;
        } while (--k > 0);
    }
    switch (n) { if (n > 3) { case 1: p[0] = 1; break; } else { default: p[1] = 2; } p[2] = 3; }
    switch (n) { case 0: { int v = 3; p[0] = v; case 2: p[3] = v; } break; case 1: p[1] = 2; }
//~ 49 error: This label bypasses the initialization of `v`; declare `v` before the `switch`.
//~ note: `v` is declared here.
    switch (n) { case 0: { case 1: p[0] = 1; } case 1: default: p[1] = 1; default: p[2] = 1; }
//~ 16 error: The case label value 1 appears twice in this `switch`; remove one of the two.
//~ 75 error: A `default` label has already appeared in this `switch`.
}
__device__ int inner_cases_that_return(int n) { switch (n) { case 0: { case 1: return 1; } default: return 2; } }
__device__ int inner_cases_that_end(int n) { switch (n) { case 0: { case 1: return 1; } } }
//~ 91 warning: Missing return statement at end of non-void function `inner_cases_that_end`.

__global__ void cases(int *p, int n)
{
    switch (n) p[0] = 1;
    switch (n) case 3: p[0] = 1;
    switch (n) { case 0: int v = 3; p[0] = v; break; case 1: p[1] = 2; break; default: p[2] = 2; }
//~ 54 warning: This label bypasses the initialization of `v`; declare `v` in its own block.
    switch (n) { default: p[0] = 1; case 1: p[1] = 1; default: p[2] = 1; }
//~ 55 error: A `default` label has already appeared in this `switch`.
    if (n) case 4: p[0] = 2;
//~ 12 error: A `case` label may only be used within a `switch`.
}
