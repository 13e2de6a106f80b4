#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# What "uvm cc" refuses, with the line and what to do; and what it takes.
uvm=$1
. "$(dirname "$0")/checks.sh"
cd "$tmp" || exit 1

# compile STATUS WHAT: the source on stdin, behind its first line.
compile()
{
	want=$1
	what="uvm cc, $2"
	{ echo '#include <softgpu_kernel.h>'; cat; } > k.c
	"$uvm" cc k.c > out 2>&1
	status "$want" $? out
}

# says PATTERN: the last one did.
says()
{
	contains "$1" out
}

# expect_lines N: the last one said so many.
expect_lines()
{
	[ "$(wc -l < out)" -eq "$1" ]
	result $? "not $1 lines:" out
}

# left FILES: nothing else is there.
left()
{
	[ "$(echo *)" = "$1" ]
	result $? "left $(echo *), not $1"
}

compile 1 'double' <<'EOF'
void k(float *x)
{
	double d = x[0];

	x[1] = (float)(d * d * d);
}
EOF
says '^k.c:4: error: double is not available on this GPU (__extendsfdf2 in k()); use float'
left 'k.c out'
compile 1 'double in code without a line' <<'EOF'
double twice(double x) { return x * 2; }
void k(float *x) { *x = 1; }
EOF
says '^k.c:2: error: double is not available on this GPU (__adddf3 in twice())'
compile 1 'a function that is not declared' <<'EOF'
void k(float *x) { *x = sinf(*x); }
EOF
says '^k.c:2:.*error: .*sinf'
compile 1 'a function that is nowhere' <<'EOF'
int other(int x);

void k(int *x) { *x = other(*x); }
EOF
says "^k.c:4: error: 'other', called in k(), is neither in the source nor in the kernels' library"
compile 1 'writable globals' <<'EOF'
uint32_t table[4] = { 1, 2, 3, 4 };

void k(uint32_t *x)
{
	static uint32_t calls;

	*x = table[calls++ & 3]++;
}
EOF
says "^k.c:2: error: 'table' is a writable global"
says "^k.c:6: error: 'k.calls' is a writable global.*SGPU_SHARED"
left 'k.c out'
compile 1 'more stack than there is' <<'EOF'
void k(float *x)
{
	volatile float big[2000];

	big[global_idx_x()] = x[0];
	x[1] = big[(int)x[2]];
}
EOF
says "^k.c:2: error: 'k' takes 80[0-9]* bytes of stack, and threads have 1024; SGPU_STACK_BYTES(80"
compile 1 'more stack than there can be' <<'EOF'
SGPU_STACK_BYTES(65536);
void k(float *x)
{
	volatile float big[20000];

	big[global_idx_x()] = x[0];
	x[1] = big[(int)x[2]];
}
EOF
says "^k.c:3: error: 'k' takes 80[0-9]* bytes of stack, and threads have 65536; there can be 65536"
compile 1 'a chain of calls that is too deep' <<'EOF'
__attribute__((noinline)) static float leaf(const float *x)
{
	volatile float a[100];

	a[(int)x[0]] = x[1];
	return a[(int)x[2]];
}

__attribute__((noinline)) static float middle(const float *x)
{
	volatile float a[100];

	a[(int)x[0]] = leaf(x);
	return a[(int)x[2]] + leaf(x + 1);
}

void shallow(float *x) { x[0] = leaf(x); }

void k(float *x)
{
	volatile float a[100];

	a[(int)x[0]] = middle(x);
	x[3] = a[(int)x[2]];
}
EOF
says "^k.c:20: error: 'k' takes 12[0-9]* bytes of stack (k 4[0-9]*, middle 4[0-9]* at k.c:11, leaf 400 at k.c:3), and threads have 1024; SGPU_STACK_BYTES(12"
expect_lines 1
compile 0 'calls one after the other, and last calls' <<'EOF'
__attribute__((noinline)) static void leaf(float *x)
{
	volatile float a[100];

	a[(int)x[0]] = x[1];
	x[2] = a[(int)x[2]];
}

__attribute__((noinline)) static void other(float *x)
{
	volatile float a[200];

	a[(int)x[0]] = x[1];
	x[3] = a[(int)x[2]];
	leaf(x);
}

void k(float *x)
{
	leaf(x);
	leaf(x + 1);
	other(x);
}
EOF
expect_lines 0
compile 0 'recursion' <<'EOF'
__attribute__((noinline)) static int up(const int *x, int n)
{
	return x[n] ? up(x, n - x[n]) * 3 + 1 : x[n + 1];
}

void k(int *x) { x[0] = up(x, 7); }
EOF
says "^uvm cc: warning: 'up' calls itself: what that takes of the stack is not checked"
compile 0 'recursion by way of a last call' <<'EOF'
__attribute__((noinline)) static int down(const int *x, int n);
__attribute__((noinline)) static int up(const int *x, int n)
{
	return x[n] ? down(x, n - x[n]) * 3 + 1 : x[n + 1];
}

__attribute__((noinline)) static int down(const int *x, int n)
{
	return up(x + 1, n - 1);
}

void k(int *x) { x[0] = up(x, 7); }
EOF
says "^uvm cc: warning: '[a-z]*' calls itself"
compile 0 'last calls in a circle' <<'EOF'
__attribute__((noinline)) static void down(int *x, int n);
__attribute__((noinline)) static void up(int *x, int n)
{
	x[n] = n;
	if (x[n + 1])
		down(x, n - 1);
}

__attribute__((noinline)) static void down(int *x, int n)
{
	x[n] += n;
	if (x[n + 2])
		up(x + 1, n - 1);
}

void k(int *x) { up(x, 7); }
EOF
expect_lines 0
compile 0 'a call through a pointer' <<'EOF'
static void one(int *x) { x[1] = 1; }
static void two(int *x) { x[2] = 2; }
static void (*const table[])(int *) = { one, two };

void k(int *x) { table[x[0] & 1](x + 1); x[3] = 4; }
EOF
says "^uvm cc: warning: 'k' calls through a pointer"
compile 0 'a last call through a pointer' <<'EOF'
static void one(int *x) { x[1] = 1; }
static void two(int *x) { x[2] = 2; }
static void (*const table[])(int *) = { one, two };

void k(int *x) { table[x[0] & 1](x + 1); }
EOF
says "^uvm cc: warning: 'k' calls through a pointer"
compile 0 'an array whose size is chosen' <<'EOF'
void k(int *x)
{
	volatile int a[x[0]];

	a[x[1]] = x[2];
	x[3] = a[x[4]];
}
EOF
says "^uvm cc: warning: 'k' chooses the size of an array when it runs"
for parameters in 'float *x, int n' 'float x' 'int n'; do
	compile 1 "a kernel with ($parameters)" <<EOF
void k($parameters) { }
EOF
	says '^k.c: no kernel: a launch needs a function that is not static'
	says "^k.c:2: 'k' is 'void ("
done
compile 1 'no kernel but a static one' <<'EOF'
static void k(float *x) { *x = 1; }
EOF
says 'no kernel'

# Taken: copies of structs, the library, constants in double that cost nothing, enough stack.
compile 0 'all that kernels have' <<'EOF'
#include <math.h>
#include <string.h>

SGPU_STACK_BYTES(16384);
struct s { float w[100]; };
SGPU_SHARED float sums[32];
static const float table[4] = { 1, 2, 3, 4 };
float helper(float x, int n) { return x * table[n & 3] * 0.5; }

void k(const struct s *in)
{
	struct s t = in[global_idx_x()], *out = (struct s *)&in[1];
	volatile float big[2000];

	for (int i = 0; i < 100; i++) {
		t.w[i] += sinf(t.w[i]) + cosf(t.w[i]) + tanf(t.w[i]) + atanf(t.w[i]);
		t.w[i] += atan2f(t.w[i], 2) + tanhf(t.w[i]) + expf(t.w[i]) + exp2f(t.w[i]);
		t.w[i] += expm1f(t.w[i]) + logf(t.w[i]) + log2f(t.w[i]) + log10f(t.w[i]);
		t.w[i] += log1pf(t.w[i]) + powf(t.w[i], 1.5f) + fmodf(t.w[i], 3);
		t.w[i] += scalbnf(t.w[i], i) + floorf(t.w[i]) + ceilf(t.w[i]) + truncf(t.w[i]);
		t.w[i] += roundf(t.w[i]) + rintf(t.w[i]) + sqrtf(t.w[i]) + fabsf(t.w[i]);
		t.w[i] += fmaxf(t.w[i], 1) + fminf(t.w[i], 2) + fmaf(t.w[i], 1, 2);
		big[i] = helper(t.w[i], i);
	}
	memmove(&out[1], out, sizeof(*out));
	memset(out, memcmp(out, &t, sizeof(t)), sizeof(*out));
	sums[lane_id()] = big[lane_id()];
	out[global_idx_x()] = t;
}

void k2(void) { }
EOF
left 'k.c k.elf out'

compile 0 'a kernel whose name has 80 letters' <<EOF
void $(printf 'k%079d' 0)(int *x) { *x = 1; }
EOF
readelf -sW k.elf > out
says "GLOBAL .* $(printf 'k%079d' 0)\$"
rm k.elf
{ for i in $(seq 513); do echo "static int v$i;"; done; echo 'void k(int *x) { *x = 1; }'; } > many
compile 1 'more functions and variables than are looked at' < many
says '^uvm cc: 51[4-9] functions and variables in one source, and there can be 512$'
rm many
left 'k.c out'

# Paths that are too long are refused: what a cut one names is another file.
echo 'void k(int *x) { *x = 1; }' > k.c
dots=$(printf './%.0s' $(seq 2046))
what='uvm cc, a path that is too long'
"$uvm" cc k.c -o "${dots}long.elf" > out 2>&1
status 2 $? out
says '^uvm: [./]*[.][.][.]: File name too long$'
left 'k.c out'

# Who ends it ends the compiler, and nothing is left; the second one makes the syntax tree.
cat > slow <<'EOF'
#!/bin/sh
case "$*" in
*"$UVM_SLOW"*)
	touch begun
	exec sleep 10
esac
while [ "$1" != -o ]; do shift; done
touch "$2"
EOF
chmod 755 slow
for slow in -c -ast-dump; do
	for signal in HUP:129 INT:130 QUIT:131 TERM:143; do
		what="uvm cc at SIG${signal%:*}, $slow"
		end_by "${signal%:*}" UVM_CLANG=./slow UVM_SLOW=$slow "$uvm" cc k.c
		status "${signal#*:}" "$ended" out
		left 'begun k.c out slow'
	done
done

summary 'uvm cc'
