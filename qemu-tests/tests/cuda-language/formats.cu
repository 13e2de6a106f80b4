// SPDX-License-Identifier: GPL-2.0
/*
 * printf() of the device, whose text is read back, beside snprintf() of the host: each conversion
 * with each flag, widths, precisions, and values at the ends of their types.
 */
#include <limits>
#include <string>
#include <unistd.h>
#include "check.h"

#define FORMAT_BYTES	16
#define FORMATS_MAX	128	/* of a launch: of what they print the device keeps 64 KB */

struct formats { char text[FORMATS_MAX][FORMAT_BYTES]; };

template<class T> __global__ void print(const formats *all, int count, const T *value, int values)
{
	for (int i = 0; i < count; i++)
		for (int j = 0; j < values; j++) {
			printf(all->text[i], value[j]);
			printf("\n");
		}
}

__global__ void strings(const char *text, const char *none)
{
	const char on_stack[] = { 's', 't', 'a', 'c', 'k', '\0' };
	__shared__ char shared[8];

	for (int i = 0; i < 6; i++)
		shared[i] = text[i + 6];
	shared[6] = '\0';
	printf("%s|%15s|%-15s|%.3s|%.*s|%s|%s|%p\n", text, text, text, text, 4, text, on_stack, shared,
	       none);
	printf("%s %.5s %jd %td %zu %c%s\n", none, "constant", 1l << 40, 2l, 3ul,
	       65, text + 11);
	printf("%.*f %.*d|%*s|%-*s|%%\n", -1, 1.5, -1, 7, 6, "ab", 6, "cd");
	printf("%d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d %d "
	       "%d %g %s\n", 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
	       22, 23, 24, 25, 26, 27, 28, 29, 30, 31.5, "32");
}

static FILE *file;
static int screen;

static void divert()
{
	fflush(stdout);
	MUST(ftruncate(fileno(file), 0) ? cudaErrorUnknown : cudaSuccess);
	rewind(file);
	dup2(fileno(file), 1);
}

/* What was printed since divert(). */
static std::string printed()
{
	std::string text;
	char part[4096];
	size_t n;

	MUST(cudaDeviceSynchronize());
	fflush(stdout);
	dup2(screen, 1);
	rewind(file);
	while ((n = fread(part, 1, sizeof(part), file)))
		text.append(part, n);
	return text;
}

template<class T> static void compare(const formats *all, int count, const T *value, int values)
{
	std::string got, want, here;
	char line[600];

	divert();
	print<<<1, 1>>>(all, count, value, values);
	got = printed();
	for (int i = 0; i < count; i++)
		for (int j = 0; j < values; j++) {
			want = std::string(line, snprintf(line, sizeof(line), all->text[i], value[j]));
			here = got.substr(0, want.size() + 1);
			CHECK(here == want + "\n", "'%s': '%s', not '%s'", all->text[i],
			      got.substr(0, got.find('\n')).c_str(), want.c_str());
			got.erase(0, got.find('\n') + 1);
		}
	CHECK(got.empty(), "%s", got.c_str());
}

/* All formats of some conversions: @letters, with the length @length. */
template<class T> static void all_of(const char *letters, const char *length,
				     std::initializer_list<T> list)
{
	static const char * const flags[] = { "", "-", "+", " ", "0", "#", "+-", "#0", " 0" };
	static const char * const sizes[] = { "", "1", "12", ".0", ".1", "9.3", ".17", "30.20" };
	formats *all = managed<formats>(1);
	T *value = managed<T>(list.size());
	int count = 0;

	std::copy(list.begin(), list.end(), value);
	for (; *letters; letters++, count = 0) {
		for (const char *flag : flags)
			for (const char *size : sizes)
				/* Of "%p" C says nothing but that it has a width. */
				if (*letters != 'p' || (!strpbrk(flag, "+ #0") && !strchr(size, '.')))
					snprintf(all->text[count++], FORMAT_BYTES, "%%%s%s%s%c", flag,
						 size, length, *letters);
		compare(all, count, value, list.size());
	}
}

static void compare_strings()
{
	static const char want[] =
		"maybe shared.|  maybe shared.|maybe shared.  |may|mayb|stack|shared|(nil)\n"
		"(null) const 1099511627776 2 3 Ad.\n"
		"1.500000 7|    ab|cd    |%\n"
		"1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31.5 32\n";
	char *text = managed<char>(16);
	std::string got;

	strcpy(text, "maybe shared.");
	divert();
	strings<<<1, 1>>>(text, NULL);
	got = printed();
	CHECK(got == want, "%s, not %s", got.c_str(), want);
}

int main()
{
	typedef std::numeric_limits<double> limits;
	double inf = limits::infinity();

	file = tmpfile();
	screen = dup(1);
	all_of<double>("feg", "", { 0.0, -0.0, 1, -2.5, 0.1, 9.9999995, 99999.95, 1e5, 123456789,
				    6.02214076e23, 1e-5, 12345e-8, inf, limits::quiet_NaN() });
	all_of<double>("FEG", "", { 0.5, 1.5, 2.5, 0.00009999995, limits::denorm_min(), limits::min(),
				    -inf, 4503599627370497.5, 1e22, 1e23, 0x1.fffffffffffffp-1 });
	all_of<double>("aA", "", { 0.0, 1, -1.5, 0x1.08p0, 0x1.18p0, 0x1.ffp-3, limits::max(),
				   limits::min(), inf });
	all_of<double>("feg", "", { limits::max(), -limits::max() });
	all_of<int>("dixXouc", "", { 1, -1, 42, 0x7fffffff, -0x7fffffff - 1, 0x1234 });
	all_of<int>("dxo", "", { 0 });
	all_of<int>("dxu", "h", { 1, -1, 70000 });
	all_of<int>("ixo", "hh", { 1, -1, 300 });
	all_of<long>("dixXou", "l", { 0, 1, -1, 1l << 40, LONG_MIN });
	all_of<unsigned long long>("dXo", "ll", { 0, 1ull << 63, ~0ull });
	all_of<size_t>("du", "z", { 7, 1ul << 33 });
	all_of<void *>("p", "", { NULL, (void *)0x1234, (void *)~0ul });
	compare_strings();
	return wrong != 0;
}
