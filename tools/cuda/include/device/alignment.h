/* SPDX-License-Identifier: GPL-2.0 */
/*
 * alignas() behind __shared__, where nvcc takes it: to clang it is an attribute of C++11 there, which
 * cannot follow another kind of attribute.  It has a type or a number, as the keyword does.
 */
#ifndef SOFTUVM_DEVICE_ALIGNMENT_H
#define SOFTUVM_DEVICE_ALIGNMENT_H

template<class T> constexpr __SIZE_TYPE__ softuvm_alignment() { return alignof(T); }
template<__SIZE_TYPE__ Bytes> constexpr __SIZE_TYPE__ softuvm_alignment() { return Bytes; }

#define alignas(...)	__attribute__((aligned(softuvm_alignment<__VA_ARGS__>())))

#endif
