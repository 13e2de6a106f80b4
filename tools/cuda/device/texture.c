// SPDX-License-Identifier: GPL-2.0
/*
 * Fetches of textures, as in the CUDA C++ Programming Guide, "Texture Fetching": a value of four
 * components of 32 bits, of which the caller takes those of its type.  What lies outside of a texture
 * is never read: each texel's place is brought inside, or it is the border.
 */
#include <stdint.h>

#include "../include/texture_types.h"

/* Farther than any texel of an array, and above all fractions of a float. */
#define FAR	16777216.0f
/* Weights of a filter have so many parts: 8 bits of fraction, and 1 itself. */
#define PARTS	256

/**
 * struct place - where a coordinate falls on an axis
 * @at: the two texels on both sides, -1: outside
 * @part: of each
 */
struct place {
	int at[2];
	float part[2];
};

void __softuvm_fetch(const struct softuvm_texture *t, uint32_t *out, int index);
void __softuvm_texture(const struct softuvm_texture *t, uint32_t *out, int axes, float x, float y,
		       float z, int layer);
void __softuvm_gather(const struct softuvm_texture *t, uint32_t *out, float x, float y, int component);

static uint32_t bits(float value)
{
	union { float value; uint32_t bits; } u = { .value = value };

	return u.bits;
}

static float value(uint32_t bits)
{
	union { uint32_t bits; float value; } u = { .bits = bits };

	return u.value;
}

/* ---- texels ----------------------------------------------------------- */

static uint32_t half(uint32_t h)
{
	uint32_t sign = (h & 0x8000) << 16, exponent = h >> 10 & 31, fraction = h & 1023;

	if (!exponent)
		return sign | bits((float)fraction / 16777216);
	return sign | (exponent == 31 ? 0x7f800000 : (exponent + 112) << 23) | fraction << 13;
}

/* The lowest of the signed ones stands for -1, as does the next. */
static uint32_t unit_signed(int number, float most)
{
	float is = (float)number / most;

	return bits(is < -1 ? -1 : is);
}

static uint32_t component(const struct softuvm_texture *t, const char *at)
{
	if (t->component == 4)
		return *(const uint32_t *)at;
	if (t->kind == cudaChannelFormatKindFloat)
		return half(*(const uint16_t *)at);
	if (t->kind == cudaChannelFormatKindSigned) {
		int number = t->component == 2 ? *(const int16_t *)at : *(const int8_t *)at;

		return t->unit ? unit_signed(number, t->component == 2 ? 32767 : 127) : (uint32_t)number;
	} else {
		uint32_t number = t->component == 2 ? *(const uint16_t *)at : *(const uint8_t *)at;

		return t->unit ? bits((float)number / (t->component == 2 ? 65535 : 255)) : number;
	}
}

/* Components that it does not have stay what they are. */
static void components(const struct softuvm_texture *t, uint32_t *out, const char *at)
{
	if (t->component == 4) {
		for (int i = 0; i < t->components; i++)
			out[i] = ((const uint32_t *)at)[i];
		return;
	}
	for (int i = 0; i < t->components; i++)
		out[i] = component(t, at + i * t->component);
}

static void texel(const struct softuvm_texture *t, uint32_t *out, int x, int y, int z)
{
	if ((x | y | z) >= 0) {
		components(t, out, t->data + (uint64_t)z * t->slice + (uint64_t)y * t->pitch +
				   (uint64_t)x * t->texel);
		return;
	}
	for (int i = 0; i < t->components; i++)
		out[i] = t->border[i];
}

static void clear(uint32_t *out)
{
	for (int i = 0; i < 4; i++)
		out[i] = 0;
}

/* Of linear memory: what lies outside is zero. */
void __softuvm_fetch(const struct softuvm_texture *t, uint32_t *out, int index)
{
	clear(out);
	if ((uint32_t)index < t->size[0])
		components(t, out, t->data + (uint64_t)(uint32_t)index * t->texel);
}

/* ---- coordinates ------------------------------------------------------ */

/* What is no number is 0. */
static float limited(float x)
{
	if (x > -FAR && x < FAR)
		return x;
	return x != x ? 0 : x < 0 ? -FAR : FAR;
}

/* Of what is limited. */
static int round_down(float x)
{
	int whole = (int)x;

	return (float)whole > x ? whole - 1 : whole;
}

/* Coordinates that repeat come between 0 and 1; a mirror turns each second of them. */
static float in_texels(const struct softuvm_texture *t, int axis, float x)
{
	int whole;

	if (!t->normalized)
		return limited(x);
	if (t->address[axis] == cudaAddressModeWrap || t->address[axis] == cudaAddressModeMirror) {
		x = limited(x);
		whole = round_down(x);
		x -= (float)whole;
		if (t->address[axis] == cudaAddressModeMirror && whole & 1)
			x = 1 - x;
	}
	return limited(x * (float)t->size[axis]);
}

/* An index that is inside, or -1. */
static int inside(const struct softuvm_texture *t, int axis, int index)
{
	int size = (int)t->size[axis];

	if (index >= 0 && index < size)
		return index;
	if (t->address[axis] == cudaAddressModeBorder)
		return -1;
	/* Of what repeats these are neighbours of the first texel and of the last. */
	if (t->address[axis] == cudaAddressModeWrap && t->normalized)
		return index < 0 ? size - 1 : 0;
	return index < 0 ? 0 : size - 1;
}

static int nearest(const struct softuvm_texture *t, int axis, float x)
{
	return inside(t, axis, round_down(in_texels(t, axis, x)));
}

/* The texels on both sides of what lies half a texel before. */
static void place_at(const struct softuvm_texture *t, int axis, float x, struct place *p)
{
	int index = round_down(x), weight = (int)((x - (float)index) * PARTS + 0.5f);

	p->part[0] = (float)(PARTS - weight) / PARTS;
	p->part[1] = (float)weight / PARTS;
	p->at[0] = inside(t, axis, index);
	p->at[1] = inside(t, axis, index + 1);
}

static void place(const struct softuvm_texture *t, int axis, float x, struct place *p)
{
	place_at(t, axis, in_texels(t, axis, x) - 0.5f, p);
}

/* ---- values ----------------------------------------------------------- */

/* The texels around, 2, 4 or 8 of them, each with its part. */
static void blend(const struct softuvm_texture *t, uint32_t *out, int axes, const struct place *p)
{
	float sum[4] = { 0, 0, 0, 0 };
	uint32_t one[4];

	for (int corner = 0; corner < 1 << axes; corner++) {
		int i = corner & 1, j = corner >> 1 & 1, k = corner >> 2;
		float part = p[0].part[i] * p[1].part[j] * p[2].part[k];

		texel(t, one, p[0].at[i], p[1].at[j], p[2].at[k]);
		for (int c = 0; c < t->components; c++)
			sum[c] += part * value(one[c]);
	}
	for (int i = 0; i < t->components; i++)
		out[i] = bits(sum[i]);
}

/* A layer is the next that there is. */
static int layer_inside(const struct softuvm_texture *t, int layer)
{
	return layer < 0 ? 0 : (uint32_t)layer < t->size[2] ? layer : (int)t->size[2] - 1;
}

static __attribute__((noinline)) void filtered(const struct softuvm_texture *t, uint32_t *out, int axes,
					       float x, float y, float z, int layer)
{
	struct place p[3] = { [1].part[0] = 1, [2].at[0] = layer, [2].part[0] = 1 };

	place(t, 0, x, &p[0]);
	if (axes > 1)
		place(t, 1, y, &p[1]);
	if (axes > 2)
		place(t, 2, z, &p[2]);
	blend(t, out, axes, p);
}

void __softuvm_texture(const struct softuvm_texture *t, uint32_t *out, int axes, float x, float y,
		       float z, int layer)
{
	int row = 0;

	clear(out);
	if (layer)
		layer = layer_inside(t, layer);
	if (t->filter == cudaFilterModeLinear) {
		filtered(t, out, axes, x, y, z, layer);
		return;
	}
	if (axes > 1)
		row = nearest(t, 1, y);
	if (axes > 2)
		layer = nearest(t, 2, z);
	texel(t, out, nearest(t, 0, x), row, layer);
}

/* A place that is a whole part nearer to the next texel than to this one is that one's. */
static void gather_place(const struct softuvm_texture *t, int axis, float x, struct place *p)
{
	x = in_texels(t, axis, x) - 0.5f;
	place_at(t, axis, (float)round_down(limited(x * PARTS + 0.5f)) / PARTS, p);
}

/* One component of each of the four around, against the clock from the lower left. */
void __softuvm_gather(const struct softuvm_texture *t, uint32_t *out, float x, float y, int component)
{
	static const unsigned char order[4][2] = { { 0, 1 }, { 1, 1 }, { 1, 0 }, { 0, 0 } };
	struct place px, py;
	uint32_t one[4];

	clear(one);
	gather_place(t, 0, x, &px);
	gather_place(t, 1, y, &py);
	for (int i = 0; i < 4; i++) {
		texel(t, one, px.at[order[i][0]], py.at[order[i][1]], 0);
		out[i] = one[component & 3];
	}
}
