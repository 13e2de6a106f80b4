// SPDX-License-Identifier: GPL-2.0
// Heat in a plate: each point goes towards its neighbours', and some are heated.  Tiles with a rim
// are in shared memory.    ./hotspot [SIDE [STEPS]]
#include <cmath>
#include <utility>
#include <vector>
#include "example.h"

#define TILE	16
#define SPREAD	0.2f
#define HEATING	0.01f

__global__ void step(const float *from, const float *power, float *to, int side)
{
	__shared__ float tile[TILE + 2][TILE + 2];
	int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
	int cx = min(x, side - 1), cy = min(y, side - 1);
	int tx = threadIdx.x + 1, ty = threadIdx.y + 1;

	tile[ty][tx] = from[cy * side + cx];
	if (threadIdx.x == 0)
		tile[ty][0] = from[cy * side + max(cx - 1, 0)];
	if (threadIdx.x == TILE - 1)
		tile[ty][TILE + 1] = from[cy * side + min(cx + 1, side - 1)];
	if (threadIdx.y == 0)
		tile[0][tx] = from[max(cy - 1, 0) * side + cx];
	if (threadIdx.y == TILE - 1)
		tile[TILE + 1][tx] = from[min(cy + 1, side - 1) * side + cx];
	__syncthreads();
	if (x < side && y < side)
		to[y * side + x] = tile[ty][tx] + HEATING * power[y * side + x] +
			SPREAD * (tile[ty][tx - 1] + tile[ty][tx + 1] + tile[ty - 1][tx] +
				  tile[ty + 1][tx] - 4 * tile[ty][tx]);
}

static void step_here(const std::vector<float> &from, const float *power, std::vector<float> &to,
		      int side)
{
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++) {
			float here = from[y * side + x];
			float west = from[y * side + (x ? x - 1 : 0)];
			float east = from[y * side + (x < side - 1 ? x + 1 : x)];
			float north = from[(y ? y - 1 : 0) * side + x];
			float south = from[(y < side - 1 ? y + 1 : y) * side + x];

			to[y * side + x] = here + HEATING * power[y * side + x] +
				SPREAD * (west + east + north + south - 4 * here);
		}
}

int main(int argc, char **argv)
{
	/* whole tiles, so that a tile's rim is a neighbour or the plate's own */
	int side = argument(argc, argv, 1, 768) / TILE * TILE, steps = argument(argc, argv, 2, 4);
	size_t n = (size_t)side * side;
	float *from = managed<float>(n), *to = managed<float>(n), *power = managed<float>(n);
	random_numbers numbers(3);
	bool right = true;

	for (size_t i = 0; i < n; i++) {
		from[i] = 300 + 20 * numbers.fraction();
		power[i] = numbers.next() % 8 ? 0 : 5 * numbers.fraction();
	}
	std::vector<float> a(from, from + n), b(n);
	for (int i = 0; i < steps; i++) {
		step<<<dim3(side / TILE, side / TILE), dim3(TILE, TILE)>>>(from, power, to, side);
		std::swap(from, to);
	}
	finish();
	for (int i = 0; i < steps; i++) {
		step_here(a, power, b, side);
		std::swap(a, b);
	}
	for (size_t i = 0; i < n; i++)
		right &= std::fabs(from[i] - a[i]) < 0.01f;
	CHECK(cudaFree(from));
	CHECK(cudaFree(to));
	CHECK(cudaFree(power));
	return verdict("hotspot", right);
}
