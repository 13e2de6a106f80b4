/* SPDX-License-Identifier: GPL-2.0 */
/* Surfaces: names and numbers of NVIDIA's documentation. */
#ifndef SOFTUVM_SURFACE_TYPES_H
#define SOFTUVM_SURFACE_TYPES_H

#define cudaSurfaceType1D		0x01
#define cudaSurfaceType2D		0x02
#define cudaSurfaceType3D		0x03
#define cudaSurfaceType1DLayered	0xf1
#define cudaSurfaceType2DLayered	0xf2

enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero = 0,
	cudaBoundaryModeClamp = 1,
	cudaBoundaryModeTrap = 2,
};

enum cudaSurfaceFormatMode {
	cudaFormatModeForced = 0,
	cudaFormatModeAuto = 1,
};

typedef unsigned long long cudaSurfaceObject_t;

#endif
