/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How much of what comes to a range's GPU had been evicted from it: an allocation that keeps
 * returning is used again and again and does not fit; one that does not is used once, or fits.
 */
#ifndef UVM_RANGE_RETURNS_H
#define UVM_RANGE_RETURNS_H

#include "policy/range_state.h"

/* A range with so many percent, or more, is one that returns: assumed. */
#define UVM_RANGE_RETURNS_MANY	50

extern const struct uvm_range_state uvm_range_returns;

/**
 * uvm_range_returns_much - does a range keep returning?
 * @range: the range; NULL: nothing is known of it
 *
 * Return: true if an eighth of its pages has been evicted, and of those that came
 * UVM_RANGE_RETURNS_MANY percent had been.  The numbers halve each time that as many pages have
 * come as the range has.
 */
bool uvm_range_returns_much(const struct uvm_range_view *range);

#endif
