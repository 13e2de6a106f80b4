// SPDX-License-Identifier: GPL-2.0
// Speckle reducing anisotropic diffusion: an image is smoothed where it has no edges (Yu and Acton,
// IEEE Transactions on Image Processing 11 (11), 2002).    ./srad [SIDE [STEPS]]
#include <cmath>
#include <vector>
#include "example.h"

#define LAMBDA	0.5f

/* Both sides compute the same: how much an edge there is. */
__host__ __device__ static float diffusion(float here, float north, float south, float west,
					   float east, float q0)
{
	float dn = north - here, ds = south - here, dw = west - here, de = east - here;
	float g2 = (dn * dn + ds * ds + dw * dw + de * de) / (here * here);
	float l = (dn + ds + dw + de) / here;
	float base = 1 + 0.25f * l;
	float q = (0.5f * g2 - 0.0625f * l * l) / (base * base);
	float c = 1 / (1 + (q - q0) / (q0 * (1 + q0)));

	return c < 0 ? 0 : c > 1 ? 1 : c;
}

__global__ void coefficients(const float *image, float *c, int side, float q0)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= side || y >= side)
		return;
	c[y * side + x] = diffusion(image[y * side + x], image[max(y - 1, 0) * side + x],
				    image[min(y + 1, side - 1) * side + x],
				    image[y * side + max(x - 1, 0)],
				    image[y * side + min(x + 1, side - 1)], q0);
}

/* From one image to another: in place a neighbour might have changed already. */
__global__ void update(const float *image, const float *c, float *to, int side)
{
	int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

	if (x >= side || y >= side)
		return;

	int here = y * side + x, south = min(y + 1, side - 1) * side + x;
	int east = y * side + min(x + 1, side - 1), north = max(y - 1, 0) * side + x;
	int west = y * side + max(x - 1, 0);
	float flow = c[south] * (image[south] - image[here]) + c[here] * (image[north] - image[here]) +
		     c[east] * (image[east] - image[here]) + c[here] * (image[west] - image[here]);

	to[here] = image[here] + 0.25f * LAMBDA * flow;
}

/* Variance by the square of the mean, of all of the image. */
static float roughness(const float *image, size_t n)
{
	double sum = 0, squares = 0;

	for (size_t i = 0; i < n; i++) {
		sum += image[i];
		squares += (double)image[i] * image[i];
	}
	return (squares / n - (sum / n) * (sum / n)) / ((sum / n) * (sum / n));
}

static void step_here(std::vector<float> &image, int side, float q0)
{
	std::vector<float> c(image.size()), before(image);

	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++)
			c[y * side + x] = diffusion(before[y * side + x],
				before[(y ? y - 1 : 0) * side + x],
				before[(y < side - 1 ? y + 1 : y) * side + x],
				before[y * side + (x ? x - 1 : 0)],
				before[y * side + (x < side - 1 ? x + 1 : x)], q0);
	for (int y = 0; y < side; y++)
		for (int x = 0; x < side; x++) {
			int here = y * side + x, south = (y < side - 1 ? y + 1 : y) * side + x;
			int east = y * side + (x < side - 1 ? x + 1 : x);
			int north = (y ? y - 1 : 0) * side + x, west = y * side + (x ? x - 1 : 0);

			image[here] += 0.25f * LAMBDA *
				(c[south] * (before[south] - before[here]) +
				 c[here] * (before[north] - before[here]) +
				 c[east] * (before[east] - before[here]) +
				 c[here] * (before[west] - before[here]));
		}
}

int main(int argc, char **argv)
{
	int side = argument(argc, argv, 1, 768), steps = argument(argc, argv, 2, 2);
	size_t n = (size_t)side * side;
	float *image = managed<float>(n), *next = managed<float>(n), *c = managed<float>(n);
	random_numbers numbers(4);
	dim3 block(16, 16), grid(blocks_for(side, 16), blocks_for(side, 16));
	bool right = true;

	for (size_t i = 0; i < n; i++)
		image[i] = expf(numbers.fraction());
	std::vector<float> wanted(image, image + n);
	for (int i = 0; i < steps; i++) {
		float *before = image;

		coefficients<<<grid, block>>>(image, c, side, roughness(image, n));
		update<<<grid, block>>>(image, c, next, side);
		finish();
		image = next;
		next = before;
		step_here(wanted, side, roughness(wanted.data(), n));
	}
	for (size_t i = 0; i < n; i++)
		right &= std::fabs(image[i] - wanted[i]) < 1e-3f * wanted[i];
	CHECK(cudaFree(image));
	CHECK(cudaFree(next));
	CHECK(cudaFree(c));
	return verdict("srad", right);
}
