/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * User ABI of a software GPU: /dev/softgpuN.  One open file is one context.
 *
 * Every ioctl takes a struct that begins with its size and flags.  A shorter
 * struct is padded with zeros (but never below the first published size), a
 * longer one is accepted only if the unknown tail is zero.  Errors:
 *   ENOTTY unknown ioctl; EINVAL struct too short or a value out of range;
 *   E2BIG unknown non-zero tail; EOPNOTSUPP unknown flag; EFAULT bad pointer;
 *   ENOENT no such object; ENOMEM out of memory; ENODEV context stopped;
 *   ETIME the virtual clock is at its end.
 */
#ifndef _UAPI_LINUX_SOFTGPU_H
#define _UAPI_LINUX_SOFTGPU_H

#include <linux/ioctl.h>
#include <linux/types.h>

#define SOFTGPU_IOC_TYPE	'g'

/**
 * struct softgpu_info - SOFTGPU_IOC_INFO: facts about the GPU
 * @size: sizeof(struct softgpu_info)
 * @flags: 0
 * @gpu: index of the GPU
 * @clock: 0 virtual, 1 real
 * @vram_bytes: GPU memory that users can have (before any limit)
 * @usable_bytes: GPU memory that users can have now (after VRAM_LIMIT)
 * @now_ns: device time
 * @sm_count: streaming multiprocessors
 * @sm_clock_khz: their clock
 * @threads_per_sm: resident threads per SM
 * @warps_per_sm: resident warps per SM
 * @blocks_per_sm: resident blocks per SM
 * @profile_entries: number of profile values, see SOFTGPU_IOC_PROFILE
 * @dma_faults: device accesses to unmapped system memory since load
 * @tlb_hits: uTLB hits since load
 * @tlb_misses: uTLB misses since load
 * @walks: page walks since load
 * @faults_written: fault records written since load
 * @faults_merged: accesses merged into an outstanding fault since load
 * @faults_dropped: fault records lost to ring overflow since load
 * @instructions: warp instructions since load
 * @profile: name of the profile
 * @switched_out: thread blocks that gave their place on an SM to another, since load
 * @switched_in: thread blocks that waited on an SM and got a place there
 * @switch_ns: what saving and restoring them took, summed over SMs
 * @faults_replayed: faults, reported or dropped, whose accesses a replay has made try
 *	again, since load
 * @link_reads: what SMs asked for of system memory, since load: a warp instruction is one request
 *	for each line of 128 bytes; an atomic counts as a read and a write.  Only on the virtual
 *	clock; copies are not in these
 * @link_writes: the same, of what they wrote there
 * @link_read_bytes: of @link_reads: sectors of 32 bytes that were touched
 * @link_write_bytes: of @link_writes
 */
struct softgpu_info {
	__u32 size;
	__u32 flags;
	__u32 gpu;
	__u32 clock;
	__aligned_u64 vram_bytes;
	__aligned_u64 usable_bytes;
	__aligned_u64 now_ns;
	__u32 sm_count;
	__u32 sm_clock_khz;
	__u32 threads_per_sm;
	__u32 warps_per_sm;
	__u32 blocks_per_sm;
	__u32 profile_entries;
	__aligned_u64 dma_faults;
	__aligned_u64 tlb_hits;
	__aligned_u64 tlb_misses;
	__aligned_u64 walks;
	__aligned_u64 faults_written;
	__aligned_u64 faults_merged;
	__aligned_u64 faults_dropped;
	__aligned_u64 instructions;
	char profile[32];
	__aligned_u64 switched_out;
	__aligned_u64 switched_in;
	__aligned_u64 switch_ns;
	__aligned_u64 faults_replayed;
	__aligned_u64 link_reads;
	__aligned_u64 link_writes;
	__aligned_u64 link_read_bytes;
	__aligned_u64 link_write_bytes;
};

/**
 * struct softgpu_profile_entry - SOFTGPU_IOC_PROFILE: one profile value
 * @size: sizeof
 * @flags: 0
 * @index: in: 0 ... profile_entries - 1
 * @overridden: out: non-zero if set= changed it
 * @value: out
 * @name: out
 * @unit: out; one with "|" has the names of the values 0, 1, ...
 * @what: out: description
 * @source: out: where the number comes from, or "assumed"
 */
struct softgpu_profile_entry {
	__u32 size;
	__u32 flags;
	__u32 index;
	__u32 overridden;
	__aligned_u64 value;
	char name[40];
	char unit[16];
	char what[104];
	char source[160];
};

/**
 * struct softgpu_load - SOFTGPU_IOC_LOAD: load a kernel image
 * @size: sizeof
 * @flags: 0
 * @image: user pointer to an ELF64 RISC-V executable (softgpu_kernel_abi.h says how linked)
 * @image_bytes: its size, at most 16M
 * @image_id: out: handle
 * @__reserved: 0
 * @error_offset: out: with ENOEXEC, file offset or address of what was refused
 */
struct softgpu_load {
	__u32 size;
	__u32 flags;
	__aligned_u64 image;
	__aligned_u64 image_bytes;
	__u32 image_id;
	__u32 __reserved;
	__aligned_u64 error_offset;
};

/**
 * struct softgpu_unload - SOFTGPU_IOC_UNLOAD: forget an image
 * @size: sizeof
 * @flags: 0
 * @image_id: handle; launches of it that run keep it alive
 * @__reserved: 0
 */
struct softgpu_unload {
	__u32 size;
	__u32 flags;
	__u32 image_id;
	__u32 __reserved;
};

/**
 * struct softgpu_launch - SOFTGPU_IOC_LAUNCH: run a function of an image
 * @size: sizeof
 * @flags: 0
 * @image_id: handle
 * @shared_bytes: dynamic shared memory per block
 * @grid: blocks in x, y, z; each 1 ... 65535 (x: 2^31 - 1)
 * @block: threads in x, y, z; product 1 ... 1024
 * @args: user pointer to the argument block, copied
 * @args_bytes: its size, at most 4096
 * @__reserved: 0
 * @instruction_limit: warp instructions until the launch is ended; 0 = 2^31
 * @launch_id: out: handle for SOFTGPU_IOC_WAIT, counts from 1 per context
 * @entry: name of the function, NUL terminated
 *
 * Launches of one context run one after the other.  While %SOFTGPU_LAUNCHES_MAX are queued or
 * run the ioctl waits; EINTR if it is killed meanwhile.  ENOBUFS: %SOFTGPU_FAILURES_KEPT have
 * failed that nobody has waited for.
 */
struct softgpu_launch {
	__u32 size;
	__u32 flags;
	__u32 image_id;
	__u32 shared_bytes;
	__u32 grid[3];
	__u32 block[3];
	__aligned_u64 args;
	__u32 args_bytes;
	__u32 __reserved;
	__aligned_u64 instruction_limit;
	__aligned_u64 launch_id;
	char entry[64];
};

/* Of a context: launches in its queue, results of launches and of copies, failures of each. */
#define SOFTGPU_LAUNCHES_MAX		1024
#define SOFTGPU_RESULTS_KEPT		2048
#define SOFTGPU_FAILURES_KEPT		4096

/* softgpu_wait.state */
#define SOFTGPU_LAUNCH_RUNNING		0
#define SOFTGPU_LAUNCH_DONE		1
#define SOFTGPU_LAUNCH_FAILED		2

/* softgpu_wait.reason, with SOFTGPU_LAUNCH_FAILED */
#define SOFTGPU_FAIL_NONE		0
#define SOFTGPU_FAIL_FAULT		1	/* wild access; address, access valid */
#define SOFTGPU_FAIL_MISALIGNED		2	/* address, access valid */
#define SOFTGPU_FAIL_WINDOW		3	/* outside a window: stack, shared, constants */
#define SOFTGPU_FAIL_JUMP		4	/* jump outside the code */
#define SOFTGPU_FAIL_BARRIER		5	/* barrier reached unevenly */
#define SOFTGPU_FAIL_INSTRUCTION_LIMIT	6
#define SOFTGPU_FAIL_CANCELLED		7	/* context stopped or closed */
#define SOFTGPU_FAIL_TRAP		8	/* ebreak, or an unknown ecall */
#define SOFTGPU_FAIL_NO_MEMORY		9	/* a fault could not be served */
#define SOFTGPU_FAIL_HANG		10	/* nothing can make it progress */

#define SOFTGPU_WAIT_POLL		1	/* flag: report state, do not wait */

/**
 * struct softgpu_wait - SOFTGPU_IOC_WAIT: wait for a launch
 * @size: sizeof
 * @flags: SOFTGPU_WAIT_POLL or 0
 * @launch_id: handle
 * @state: out: SOFTGPU_LAUNCH_*
 * @reason: out: SOFTGPU_FAIL_*
 * @error: out: the errno that describes @reason (positive), 0 if done
 * @access: out: 0 read, 1 write, 2 atomic
 * @address: out: address of the failed access or jump
 * @pc: out: program counter of the failing instruction (image address)
 * @block: out: block index of the failing thread
 * @thread: out: thread index in its block of the failing thread
 * @start_ns: out: device time of the launch
 * @end_ns: out: device time of its end
 * @instructions: out: warp instructions executed
 *
 * The ioctl itself succeeds when the launch failed; see @state.  It may be asked again.  Of a
 * launch that ended well before the last %SOFTGPU_RESULTS_KEPT that did, only @state is known and
 * the rest is 0.  A failure stays until it has been told and %SOFTGPU_FAILURES_KEPT are known;
 * then ENOENT is what is said of it, and of all good ones before it that are no longer known.
 */
struct softgpu_wait {
	__u32 size;
	__u32 flags;
	__aligned_u64 launch_id;
	__u32 state;
	__u32 reason;
	__u32 error;
	__u32 access;
	__aligned_u64 address;
	__aligned_u64 pc;
	__aligned_u64 block;
	__aligned_u64 thread;
	__aligned_u64 start_ns;
	__aligned_u64 end_ns;
	__aligned_u64 instructions;
};

#define SOFTGPU_VRAM_LIMIT_TOP	1

/**
 * struct softgpu_vram_limit - SOFTGPU_IOC_VRAM_LIMIT: pin the rest of memory
 * @size: sizeof
 * @flags: SOFTGPU_VRAM_LIMIT_* or 0
 * @bytes: user memory to leave, rounded up to 2 MB; 0 removes the limit
 * @usable_bytes: out: what is left for users now
 *
 * Belongs to the open file: replaces its earlier limit, ends when it closes.
 * Resident user pages are evicted as needed: in the driver's order of eviction,
 * or with %SOFTGPU_VRAM_LIMIT_TOP those in the highest run of frames that is
 * long enough.  EBUSY if the frames cannot be had; ENOMEM if the caller's user would pin
 * more than softgpu.user_percent of the GPU.
 */
struct softgpu_vram_limit {
	__u32 size;
	__u32 flags;
	__aligned_u64 bytes;
	__aligned_u64 usable_bytes;
};

/* What the hardware does and when: types of struct softgpu_timeline_record. */
enum softgpu_timeline_type {
	SOFTGPU_TIMELINE_LOST = 1,	/* @value records found no room */
	SOFTGPU_TIMELINE_LAUNCH,	/* a launch ended */
	SOFTGPU_TIMELINE_BLOCK,		/* a thread block left its SM */
	SOFTGPU_TIMELINE_STALL,		/* an SM had warps, none of which could issue */
	SOFTGPU_TIMELINE_COPY,		/* a copy engine moved or set memory */
	SOFTGPU_TIMELINE_FAULT,		/* a record was written to the fault buffer */
	SOFTGPU_TIMELINE_REPLAY,	/* waiting accesses are translated again */
	SOFTGPU_TIMELINE_SWITCH,	/* a waiting thread block got a place on its SM */
	SOFTGPU_TIMELINE_COUNT
};

#define SOFTGPU_SWITCH_NONE	(~0ULL)	/* softgpu_timeline_record.id: from nobody */

/* softgpu_timeline_record.src and .dst */
#define SOFTGPU_MEMORY_VID	0	/* memory of the GPU */
#define SOFTGPU_MEMORY_SYS	1	/* system memory */
#define SOFTGPU_MEMORY_PEER	2	/* memory of another GPU */
#define SOFTGPU_MEMORY_NONE	0xff	/* a pattern, no source */

/**
 * struct softgpu_timeline_record - one record of a timeline
 * @type: enum softgpu_timeline_type
 * @unit: SM (BLOCK, STALL, SWITCH), copy engine (COPY), uTLB group (FAULT), else 0
 * @src: COPY: SOFTGPU_MEMORY_*
 * @dst: COPY: SOFTGPU_MEMORY_VID, _SYS or _PEER
 * @gpu: index of the GPU
 * @time_ns: device time at which it began
 * @duration_ns: how long it took; 0 for FAULT, REPLAY, LOST
 * @id: LAUNCH, BLOCK: launch id, which counts from 1 per context; FAULT: page address;
 *	SWITCH: index of the block that gave way, or SOFTGPU_SWITCH_NONE
 * @value: LAUNCH: warp instructions; BLOCK: index of the block; STALL: resident
 *	warps; COPY: bytes; FAULT, REPLAY: accesses that wait for a replay; SWITCH: index
 *	of the block that got the place
 *
 * Records come in the order in which the device finishes what they are about.
 */
struct softgpu_timeline_record {
	__u16 type;
	__u16 unit;
	__u8 src;
	__u8 dst;
	__u16 gpu;
	__aligned_u64 time_ns;
	__aligned_u64 duration_ns;
	__aligned_u64 id;
	__aligned_u64 value;
};

/**
 * struct softgpu_timeline - SOFTGPU_IOC_TIMELINE: record what the GPU does
 * @size: sizeof
 * @flags: 0
 * @entries: length of the queue, a power of two, 64 ... 2^20
 * @fd: out: file to read, with O_CLOEXEC and O_NONBLOCK; closing it ends the recording
 * @mask: bit per enum softgpu_timeline_type
 * @min_stall_ns: leave out stalls that are shorter
 *
 * The whole GPU is recorded, whoever uses it: EPERM without CAP_PERFMON.
 * read(2) returns whole records, poll(2) works.  On the virtual clock a full queue stops
 * the clock until it is half drained, so nothing is lost and the reader's speed reaches no
 * result, while only its reader's process uses the modules; with others about, and on the
 * real clock, what finds no room is counted and told by the next record that does (LOST).
 */
struct softgpu_timeline {
	__u32 size;
	__u32 flags;
	__u32 entries;
	__s32 fd;
	__aligned_u64 mask;
	__aligned_u64 min_stall_ns;
};

/* softgpu_alloc.kind */
#define SOFTGPU_MEMORY_DEVICE		0	/* GPU memory, never evicted */
#define SOFTGPU_MEMORY_PINNED		1	/* system memory, pinned */

#define SOFTGPU_ALLOC_CONTIGUOUS	1	/* flag: one piece of GPU memory */

/**
 * struct softgpu_alloc - SOFTGPU_IOC_ALLOC: allocate explicit memory
 * @size: sizeof
 * @flags: SOFTGPU_ALLOC_CONTIGUOUS or 0; 0 with SOFTGPU_MEMORY_PINNED
 * @kind: SOFTGPU_MEMORY_*
 * @__reserved: 0
 * @bytes: size, rounded up to pages; GPU memory comes in pieces of 2 MB
 * @handle: out: counts from 1
 * @__reserved2: 0
 * @mmap_offset: out: pinned memory: offset of its first byte for mmap(2) of this
 *	file, which must be MAP_SHARED and not executable
 *
 * The memory reads as zero.  The GPU reaches it where UVM_IOC_MAP_EXTERNAL maps
 * it.  Managed memory is evicted to make room for device memory.  Pinned memory
 * is charged to the memory cgroup of the caller and to RLIMIT_MEMLOCK of his
 * user.  ENOMEM: there is no such memory, or all of it is pinned, or the user would have
 * more than softgpu.user_percent of the GPU's; EPERM: more than RLIMIT_MEMLOCK allows;
 * ENOSPC: too many handles.
 */
struct softgpu_alloc {
	__u32 size;
	__u32 flags;
	__u32 kind;
	__u32 __reserved;
	__aligned_u64 bytes;
	__u32 handle;
	__u32 __reserved2;
	__aligned_u64 mmap_offset;
};

/**
 * struct softgpu_free - SOFTGPU_IOC_FREE: forget a handle
 * @size: sizeof
 * @flags: 0
 * @handle: from SOFTGPU_IOC_ALLOC
 * @__reserved: 0
 *
 * The memory itself goes when nobody has it mapped any more.
 */
struct softgpu_free {
	__u32 size;
	__u32 flags;
	__u32 handle;
	__u32 __reserved;
};

/* softgpu_copy.direction: which copy engine; the data may lie anywhere */
#define SOFTGPU_COPY_HTOD		0
#define SOFTGPU_COPY_DTOH		1
#define SOFTGPU_COPY_DTOD		2
#define SOFTGPU_COPY_DIRECTIONS		3

#define SOFTGPU_COPY_MAX		0x40000000UL

/**
 * struct softgpu_copy - SOFTGPU_IOC_COPY: copy by a copy engine
 * @size: sizeof
 * @flags: 0
 * @direction: SOFTGPU_COPY_*
 * @__reserved: 0
 * @dst: GPU virtual address
 * @src: GPU virtual address
 * @bytes: 1 ... SOFTGPU_COPY_MAX; the two must not overlap
 * @copy_id: out: handle for SOFTGPU_IOC_COPY_WAIT, counts from 1 per context
 *
 * Copies of one direction run one after the other, beside those of another one
 * and beside launches.  Managed memory is faulted in as it is met.  At most 64 of
 * a direction are under way, further ones wait in the ioctl.  ENODEV also for a
 * context that is not registered with /dev/uvm.  ENOBUFS: %SOFTGPU_FAILURES_KEPT have failed
 * that nobody has waited for.
 */
struct softgpu_copy {
	__u32 size;
	__u32 flags;
	__u32 direction;
	__u32 __reserved;
	__aligned_u64 dst;
	__aligned_u64 src;
	__aligned_u64 bytes;
	__aligned_u64 copy_id;
};

/* softgpu_copy_wait.state */
#define SOFTGPU_COPY_RUNNING		0
#define SOFTGPU_COPY_DONE		1
#define SOFTGPU_COPY_FAILED		2

/**
 * struct softgpu_copy_wait - SOFTGPU_IOC_COPY_WAIT: wait for a copy
 * @size: sizeof
 * @flags: SOFTGPU_WAIT_POLL or 0
 * @copy_id: handle
 * @state: out: SOFTGPU_COPY_*
 * @error: out: positive errno if it failed: EFAULT an address that it must not
 *	use, ECANCELED a copy before it failed or the context was stopped, ENOMEM,
 *	EIO
 * @fault: out: 1 if @address and @access say where it failed
 * @access: out: 0 read, 1 write
 * @address: out: first byte that could not be accessed
 * @bytes: out: size of the copy
 * @start_ns: out: device time of its begin
 * @end_ns: out: device time of its end
 *
 * The ioctl itself succeeds when the copy failed; see @state.
 */
struct softgpu_copy_wait {
	__u32 size;
	__u32 flags;
	__aligned_u64 copy_id;
	__u32 state;
	__u32 error;
	__u32 fault;
	__u32 access;
	__aligned_u64 address;
	__aligned_u64 bytes;
	__aligned_u64 start_ns;
	__aligned_u64 end_ns;
};

#define SOFTGPU_IOC_INFO	_IO(SOFTGPU_IOC_TYPE, 0x00)
#define SOFTGPU_IOC_PROFILE	_IO(SOFTGPU_IOC_TYPE, 0x01)
#define SOFTGPU_IOC_LOAD	_IO(SOFTGPU_IOC_TYPE, 0x02)
#define SOFTGPU_IOC_UNLOAD	_IO(SOFTGPU_IOC_TYPE, 0x03)
#define SOFTGPU_IOC_LAUNCH	_IO(SOFTGPU_IOC_TYPE, 0x04)
#define SOFTGPU_IOC_WAIT	_IO(SOFTGPU_IOC_TYPE, 0x05)
#define SOFTGPU_IOC_VRAM_LIMIT	_IO(SOFTGPU_IOC_TYPE, 0x06)
#define SOFTGPU_IOC_ALLOC	_IO(SOFTGPU_IOC_TYPE, 0x07)
#define SOFTGPU_IOC_FREE	_IO(SOFTGPU_IOC_TYPE, 0x08)
#define SOFTGPU_IOC_COPY	_IO(SOFTGPU_IOC_TYPE, 0x09)
#define SOFTGPU_IOC_COPY_WAIT	_IO(SOFTGPU_IOC_TYPE, 0x0a)
#define SOFTGPU_IOC_TIMELINE	_IO(SOFTGPU_IOC_TYPE, 0x18)

/*
 * read(2) returns text that kernels printed with printf since the last read
 * (0 if none; never blocks).  Behind 64 KB of it comes a line that says how much was
 * lost, if more was printed.  What cannot be copied (EFAULT) is read the next time.
 * poll(2) reports POLLIN while there is some.
 */

#endif
