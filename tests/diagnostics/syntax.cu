// Punctuation.
__global__ void missing_semicolon(int *a)
{
    int i = threadIdx.x
//~ 23 error: Put a `;` after the declaration.
    a[i] = 1;
    a[i] += 2
//~ 13 error: Put a `;` after this expression.
}

__global__ void brackets(int *a)
{
    int i = (threadIdx.x + 1;
//~ 29 error: Expected `)` to close this parenthesis, not `;`.
    a[i = 1;
//~ 12 error: Expected `]` after the index, not `;`.
    if (i > 3 {
//~ 15 error: Expected `)` after the condition, not `{`.
        a[i] = 2;
    }
    for (int k = 0; k < 3, ++k)
//~ 31 error: `for` has two `;` in its parentheses: `for (int i = 0; i < n; i++)`.
        a[k] = 1;
    else
//~ 5 error: This `else` has no matching `if`.
//~ note: An `if` without braces has one statement; put several in `{ }`.
        a[0] = 3;
    a[1] = 0x12g;
//~ 12 error: `0x12g` is not a number.
    a[2] = 1f;
//~ 12 error: `1f` is not a number: the suffix f needs a decimal point, as in `1.0f`.
    a[3] = 5 @ 6;
//~ 14 error: The character "@" is not valid in CUDA C++; remove it.
    int 3d = 4;
//~ 9 error: The name `3d` begins with a digit; begin it with a letter.
    a[4] = i +;
//~ 15 error: Expected an expression, not `;`.
    goto end;
//~ 5 error: The label `end` is referenced but not defined.
    switch (i) {
//~ 16 error: The case label value 1 appears twice in this `switch`; remove one of the two.
    case 1: a[0] = 1; break;
    case 1: a[0] = 2; break;
    }
    break;
//~ 5 error: A `break` statement may only be used within a loop or `switch`; use `return` to leave the function.
    continue;
//~ 5 error: A `continue` statement may only be used within a loop; use `return` to leave the function.
    case 3: a[1] = 2;
//~ 5 error: A `case` label may only be used within a `switch`.
}

__global__ void after(int *a)
{
    a[0] = wrong_here;
//~ 12 error: The variable `wrong_here` is not declared.
//~ note: Declare it with its type before this line, or make it a parameter.
}
