// SPDX-License-Identifier: GPL-2.0
/* The module that holds all KUnit suites; Kbuild finds them. */
#include <kunit/test.h>
#include <linux/module.h>

#define SUITE(name) extern struct kunit_suite name
UVM_KUNIT_SUITES
#undef SUITE

#define SUITE(name) kunit_test_suite(name)
UVM_KUNIT_SUITES
#undef SUITE

MODULE_DESCRIPTION("KUnit tests of softgpu and uvm");
MODULE_AUTHOR("softuvm contributors");
MODULE_LICENSE("GPL");
MODULE_IMPORT_NS(EXPORTED_FOR_KUNIT_TESTING);
MODULE_IMPORT_NS(SOFTGPU);
