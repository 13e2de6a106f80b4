/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Resource manager: what uvm asks softgpu for, in the role of nvidia-uvm's
 * nvUvmInterface*.  Everything else uvm does to a GPU is hardware: registers
 * (regs.h), channels (host_class.h, ce_class.h), page tables (mmu_format.h)
 * and fault records (fault_format.h).
 *
 * None of these functions charges simulated time or takes a lock of uvm's;
 * all are called by participants (sim.h) unless said otherwise.
 */
#ifndef SOFTGPU_RM_H
#define SOFTGPU_RM_H

#include <linux/bits.h>
#include <linux/types.h>
#include <linux/uidgid.h>
#include <softgpu/profile.h>
#include <softgpu/sim.h>

struct file;
struct page;
struct rm_gpu;
struct rm_channel;
struct rm_context;
struct rm_memory;

#define RM_MAX_GPUS		8
#define RM_FRAME_SHIFT		21
#define RM_FRAME_SIZE		BIT(RM_FRAME_SHIFT)

/* Where a physical address points. */
enum rm_aperture {
	RM_APERTURE_VID,	/* GPU memory */
	RM_APERTURE_SYS,	/* system memory, a DMA address */
	RM_APERTURE_PEER,	/* memory of a peer: rm_peer_address() */
	RM_APERTURES
};

/**
 * struct rm_gpu_info - fixed facts about one GPU
 * @index: 0 ... rm_gpu_count() - 1
 * @profile_name: name of the profile
 * @vram_bytes: GPU memory managed by PMA (whole frames, from address 0)
 * @reserve_bytes: further GPU memory for page tables and RM
 * @fault_ring: the replayable fault buffer, mapped for the CPU; shared with
 *	the device, so read VALID first, then rmb
 * @fault_ring_entries: its size in records
 * @fault_origin_ring: as many records of the extension REG_CAP_FAULT_ORIGIN
 * @access_ring: the access-counter notification buffer, likewise
 * @access_ring_entries: its size in records
 * @recorder_ring: the recorder's buffer, likewise
 * @recorder_ring_entries: its size in records
 * @utlb_count: number of uTLBs
 * @utlbs_per_gpc: uTLBs of one GPC; global uTLB id of a fault record =
 *	gpc * utlbs_per_gpc + client / sms_per_utlb
 * @sms_per_utlb: SMs (clients) sharing one uTLB
 * @gpc_count: GPCs
 */
struct rm_gpu_info {
	unsigned int index;
	const char *profile_name;
	u64 vram_bytes;
	u64 reserve_bytes;
	u32 *fault_ring;
	unsigned int fault_ring_entries;
	u32 *fault_origin_ring;
	u32 *access_ring;
	unsigned int access_ring_entries;
	u32 *recorder_ring;
	unsigned int recorder_ring_entries;
	unsigned int utlb_count;
	unsigned int utlbs_per_gpc;
	unsigned int sms_per_utlb;
	unsigned int gpc_count;
};

/**
 * rm_gpu_count - how many GPUs there are
 *
 * Return: 1 ...  RM_MAX_GPUS while softgpu is loaded.
 */
unsigned int rm_gpu_count(void);

/**
 * rm_gpu - a GPU by its number
 * @index: 0 ... rm_gpu_count() - 1
 *
 * Return: the GPU, valid while softgpu is loaded; NULL if there is no such GPU.
 */
struct rm_gpu *rm_gpu(unsigned int index);

/**
 * rm_gpu_info - fixed facts about a GPU
 * @gpu: the GPU
 *
 * Context: any.
 * Return: valid while softgpu is loaded.
 */
const struct rm_gpu_info *rm_gpu_info(struct rm_gpu *gpu);

/**
 * rm_profile - a profile value, after overrides
 * @gpu: the GPU
 * @key: which
 *
 * Context: any.
 * Return: the value, in the unit of RM_PROFILE_KEYS.
 */
u64 rm_profile(struct rm_gpu *gpu, enum rm_profile_key key);

/* Registers (regs.h); any context. */
u32 rm_reg_read(struct rm_gpu *gpu, u32 reg);
void rm_reg_write(struct rm_gpu *gpu, u32 reg, u32 value);

/**
 * rm_gpu_waitq - where to wait for a GPU
 * @gpu: the GPU
 *
 * Stands for a driver's spin loop on memory: sim_wait_event(rm_gpu_waitq(gpu), cond).
 * Return: a queue, woken after every semaphore release, channel error and end of a launch (and
 * where rm_gpu_computing() says).
 */
struct sim_waitq *rm_gpu_waitq(struct rm_gpu *gpu);

/**
 * rm_intr_register - say who handles a GPU's interrupt
 * @gpu: the GPU
 * @handler: runs in hard interrupt context; NULL unregisters
 * @data: its argument
 *
 * Context: may sleep: waits for a handler before it that runs.
 */
void rm_intr_register(struct rm_gpu *gpu, void (*handler)(void *data), void *data);

/* ---- PMA: 2 MB frames of GPU memory ---------------------------------- */

#define RM_PMA_PARTIAL		BIT(0)	/* fewer frames than asked for are fine */
#define RM_PMA_PINNED		BIT(1)	/* never offered for eviction */
#define RM_PMA_CONTIGUOUS	BIT(2)
#define RM_PMA_DONT_EVICT	BIT(3)	/* fail rather than call the client */

/**
 * struct rm_pma_ops - the PMA's client, asked to give frames back
 * @evict_frames: free up to @count evictable frames in [@first, @last]
 *	(physical addresses) into @frames; called without any lock of RM's held,
 *	by the participant that allocates; the frames become the caller's.
 *	Returns how many.
 */
struct rm_pma_ops {
	unsigned int (*evict_frames)(void *data, unsigned int count, u64 *frames,
				     u64 first, u64 last);
};

/**
 * rm_pma_register - become the PMA's client
 * @gpu: the GPU
 * @ops: its calls; stays until rm_pma_unregister()
 * @data: their first argument
 *
 * Context: any but interrupts.
 * Return: 0, or -EBUSY: there is a client already.
 */
int rm_pma_register(struct rm_gpu *gpu, const struct rm_pma_ops *ops, void *data);

/**
 * rm_pma_unregister - be the PMA's client no more
 * @gpu: the GPU
 *
 * Context: participant; waits for an allocation that is inside the client.
 */
void rm_pma_unregister(struct rm_gpu *gpu);

/**
 * rm_pma_alloc - allocate frames, lowest address first
 * @gpu: the GPU
 * @count: frames wanted
 * @flags: RM_PMA_*
 * @frames: out: physical addresses
 * @zeroed: out: true if all of them read as zero
 *
 * Return: number of frames, or -ENOMEM.
 */
int rm_pma_alloc(struct rm_gpu *gpu, unsigned int count, u32 flags, u64 *frames, bool *zeroed);

/**
 * rm_pma_free - give frames back
 * @gpu: the GPU
 * @count: how many
 * @frames: physical addresses
 *
 * The next owner never sees the bytes: rm_pma_alloc() zeroes them.
 * Context: any but interrupts.
 */
void rm_pma_free(struct rm_gpu *gpu, unsigned int count, const u64 *frames);

/**
 * rm_pma_pin - never offer a frame for eviction again, until it is freed
 * @gpu: the GPU
 * @address: of the frame, allocated
 *
 * Context: any but interrupts.
 */
void rm_pma_pin(struct rm_gpu *gpu, u64 address);

/**
 * rm_pma_usable_bytes - what users can have
 * @gpu: the GPU
 *
 * Context: any.
 * Return: bytes not pinned through SOFTGPU_IOC_VRAM_LIMIT.
 */
u64 rm_pma_usable_bytes(struct rm_gpu *gpu);

/**
 * rm_pma_free_frames - how many frames are free
 * @gpu: the GPU
 *
 * Context: any; without a lock, so of now.
 * Return: frames of 2 MB.
 */
u64 rm_pma_free_frames(struct rm_gpu *gpu);

/* ---- accounts: kernel memory by user ---------------------------------- */

struct rm_account;

/**
 * struct rm_charge - what some object was charged with; begins as zero
 * @account: whose, NULL: nobody's
 * @bytes: how much
 * @threads: kernel threads among it
 */
struct rm_charge {
	struct rm_account *account;
	u64 bytes;
	unsigned int threads;
};

/**
 * rm_charge - count kernel memory of a size that a user chooses
 * @charge: what its object has already; the same user pays for more, at first the current one
 * @bytes: how much more
 *
 * CAP_SYS_RESOURCE has no limit.
 * Context: may sleep; not only for participants.
 * Return: 0, or -ENOMEM: with it the user would have more than softgpu.user_mb.
 */
int rm_charge(struct rm_charge *charge, u64 bytes);

/**
 * rm_charge_thread - count a kernel thread that a user causes, and its stack
 * @charge: as rm_charge()
 *
 * Context: may sleep; not only for participants.
 * Return: 0, -ENOMEM as rm_charge(), or -EAGAIN: more than RLIMIT_NPROC of them, as fork(2).
 */
int rm_charge_thread(struct rm_charge *charge);

/**
 * rm_uncharge - give back all that was counted
 * @charge: zero afterwards; may be zero
 *
 * Context: any but interrupts.
 */
void rm_uncharge(struct rm_charge *charge);

/**
 * rm_charged - how much a user has been charged, for tests
 * @uid: the user
 *
 * Return: bytes.
 */
u64 rm_charged(kuid_t uid);

/* ---- users: what one of them can have of a GPU ----------------------- */

struct rm_user;

enum rm_share {
	RM_SHARE_MEMORY,	/* GPU memory that is pinned */
	RM_SHARE_ADDRESSES,	/* device addresses of system memory */
	RM_SHARE_COUNT
};

/**
 * rm_user_get - the current user, for what will be taken for him later, by whomever
 * @user: out: NULL, whom all calls take for a user without limit, if he has CAP_SYS_RESOURCE
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int rm_user_get(struct rm_user **user);

/**
 * rm_user_hold - one more reference
 * @user: the user or NULL
 *
 * Context: any but interrupts, as rm_user_put().
 * Return: @user.
 */
struct rm_user *rm_user_hold(struct rm_user *user);

/**
 * rm_user_put - give a reference back
 * @user: the user or NULL
 */
void rm_user_put(struct rm_user *user);

/**
 * rm_user_take - count what a user takes of a GPU
 * @user: the user; NULL: without limit
 * @gpu: the GPU
 * @share: of what
 * @bytes: how much
 *
 * Context: any but interrupts; not only for participants.
 * Return: 0, or -ENOMEM: with it he would have more than softgpu.user_percent of that GPU.
 */
int rm_user_take(struct rm_user *user, struct rm_gpu *gpu, enum rm_share share, u64 bytes);

/**
 * rm_user_give - the reverse of rm_user_take()
 * @user: as it was taken
 * @gpu: the GPU
 * @share: of what
 * @bytes: how much; at most what he has
 *
 * Context: any but interrupts.
 */
void rm_user_give(struct rm_user *user, struct rm_gpu *gpu, enum rm_share share, u64 bytes);

/* ---- reserve: small pieces of GPU memory for page tables ------------- */

/**
 * rm_reserve_alloc - get a piece of GPU memory for a page table
 * @gpu: the GPU
 * @size: 256 ... 4096 bytes, a power of two
 * @pa: out: physical address, naturally aligned, zeroed
 *
 * Context: any but interrupts; does not sleep.
 * Return: 0, or -ENOMEM (then use system memory) also for another size, which is warned of.
 */
int rm_reserve_alloc(struct rm_gpu *gpu, size_t size, u64 *pa);

/**
 * rm_reserve_free - give a piece of the reserve back
 * @gpu: the GPU
 * @size: as it was allocated
 * @pa: physical address
 *
 * Context: any but interrupts; does not sleep.
 */
void rm_reserve_free(struct rm_gpu *gpu, size_t size, u64 pa);

/* ---- software IOMMU -------------------------------------------------- */

/**
 * rm_iova_alloc - reserve device address space for system memory
 * @gpu: the GPU
 * @bytes: a multiple of 4K; aligned to its power of two, at most 2M
 * @iova: out
 *
 * Contiguous addresses whatever the host pages are.  rm_iova_free() also unmaps
 * what is still mapped.
 *
 * Return: 0 or -ENOMEM.
 */
int rm_iova_alloc(struct rm_gpu *gpu, size_t bytes, u64 *iova);

/**
 * rm_iova_free - give device addresses back; what is still mapped there is unmapped
 * @gpu: the GPU
 * @iova: from rm_iova_alloc()
 * @bytes: as it was allocated
 *
 * Context: any but interrupts.
 */
void rm_iova_free(struct rm_gpu *gpu, u64 iova, size_t bytes);

/**
 * rm_dma_map - map a page at a device address, in the place of one that is mapped there
 * @gpu: the GPU
 * @iova: 4K-aligned, in a reserved range
 * @page: the caller has a reference until it is unmapped; the mapping has one of its own
 *
 * Context: any but interrupts; does not sleep.
 */
void rm_dma_map(struct rm_gpu *gpu, u64 iova, struct page *page);

/**
 * rm_dma_map_pages - as rm_dma_map(), of pages beside each other
 * @gpu: the GPU
 * @iova: of the first
 * @pages: where one is NULL, what is mapped stays
 * @count: how many
 */
void rm_dma_map_pages(struct rm_gpu *gpu, u64 iova, struct page *const *pages, unsigned int count);

/**
 * rm_dma_unmap - unmap the page at a device address
 * @gpu: the GPU
 * @iova: 4K-aligned, in a reserved range
 *
 * Context: any but interrupts; does not sleep.  No access of the device to the page comes
 * afterwards.
 */
void rm_dma_unmap(struct rm_gpu *gpu, u64 iova);

/**
 * rm_dma_faults - accesses by the device to unmapped addresses
 * @gpu: the GPU
 *
 * Context: any.
 * Return: how many since load.
 */
u64 rm_dma_faults(struct rm_gpu *gpu);

/* ---- RM's address space ---------------------------------------------- */

/**
 * rm_va_map - give system memory a virtual address for the driver's channels
 * @gpu: the GPU
 * @iova: its DMA address, a multiple of 4K
 * @bytes: at most 2 MB
 * @va: out: 2 MB aligned, below 2^40, which is what a GPFIFO entry can hold
 *
 * Channels of rm_channel_alloc() find their pushbuffers and semaphores in an address space
 * whose tables RM writes, as nvidia-uvm's do (nvUvmInterfaceMemoryAllocSys).  What an
 * address of it leads to is the driver's to keep mapped.  Sleeps; needs no participant.
 *
 * Return: 0, -EINVAL, or -ENOMEM: no room in the reserve for tables, or 256 mappings.
 */
int rm_va_map(struct rm_gpu *gpu, u64 iova, size_t bytes, u64 *va);

/**
 * rm_va_unmap - the reverse of rm_va_map()
 * @gpu: the GPU
 * @va: from rm_va_map(); no channel uses it any more
 *
 * Context: may sleep; needs no participant.
 */
void rm_va_unmap(struct rm_gpu *gpu, u64 va);

/* ---- memory objects -------------------------------------------------- */

/*
 * What users allocate with SOFTGPU_IOC_ALLOC and a driver maps for them.  An
 * object lives as long as somebody holds a reference, so a driver keeps one until
 * no translation leads to it any more.
 */

/**
 * rm_memory_get - the object behind a handle
 * @file: of a context
 * @handle: from SOFTGPU_IOC_ALLOC
 * @memory: out: with a reference, for rm_memory_put()
 *
 * Return: 0, -EBADF (no softgpu file) or -ENOENT.
 */
int rm_memory_get(struct file *file, u32 handle, struct rm_memory **memory);

/**
 * rm_memory_put - give a reference on a memory object back
 * @memory: the object
 *
 * Context: may sleep: the last one frees it.
 */
void rm_memory_put(struct rm_memory *memory);

/**
 * rm_memory_bytes - how large a memory object is
 * @memory: the object
 *
 * Return: bytes, whole pages.
 */
u64 rm_memory_bytes(const struct rm_memory *memory);

/**
 * rm_memory_gpu - the GPU whose memory an object is
 * @memory: the object
 *
 * Return: the GPU; NULL: it is system memory.
 */
struct rm_gpu *rm_memory_gpu(const struct rm_memory *memory);

/**
 * rm_memory_attach - make an object reachable for a GPU
 * @memory: the object
 * @gpu: the GPU; one that does not own it must have a link to the one that does
 *
 * In the memory of another GPU, addresses lead there as long as the two are peers,
 * rm_peer_create(): that they are, and may be in an address space, is the caller's to see to.
 * Context: may sleep; nothing is waited for.
 * Return: 0, -ENOMEM (also: more than the owner's share of device addresses), or -EOPNOTSUPP: it is
 * another GPU's memory, and there is no link to it.
 */
int rm_memory_attach(struct rm_memory *memory, struct rm_gpu *gpu);

/**
 * rm_memory_detach - the reverse of rm_memory_attach(), as often
 * @memory: the object
 * @gpu: the GPU
 *
 * Context: may sleep; nothing is waited for.
 */
void rm_memory_detach(struct rm_memory *memory, struct rm_gpu *gpu);

/**
 * rm_memory_address - where a byte of an object is for a GPU
 * @memory: the object
 * @gpu: it is attached to this one
 * @offset: of the byte, less than its size
 * @aperture: out: VID, SYS, or PEER for another GPU's memory
 *
 * Physical addresses are contiguous within 2 MB of the object, and aligned as the offset is, up to
 * the size of that piece.
 * Return: the physical address.
 */
u64 rm_memory_address(const struct rm_memory *memory, struct rm_gpu *gpu, u64 offset,
		      enum rm_aperture *aperture);

/**
 * rm_memory_write_word - write a word of system memory as the CPU
 * @memory: an object of pinned pages
 * @offset: in bytes, a multiple of 4, less than its size
 * @value: what to write
 *
 * Context: any; does not sleep.
 */
void rm_memory_write_word(struct rm_memory *memory, u64 offset, u32 value);

/* ---- peers ----------------------------------------------------------- */

/* What joins two GPUs; profile key peer_link. */
enum rm_peer_link {
	RM_PEER_LINK_NONE,	/* no way but through system memory */
	RM_PEER_LINK_PCIE,	/* their links to the CPU: no atomics */
	RM_PEER_LINK_NVLINK,	/* a link of their own, with atomics */
};

/*
 * An address in the peer aperture is one in the peer's memory with the peer's id
 * above it, where a PTE has it (MMU_PTE_PEER_ID).
 */
#define RM_PEER_SHIFT		37
#define RM_PEER_IDS		8

static inline u64 rm_peer_address(unsigned int peer_id, u64 pa)
{
	return (u64)peer_id << RM_PEER_SHIFT | pa;
}

/**
 * rm_peer_link - how could two GPUs reach each other's memory?
 * @a: a GPU
 * @b: the other
 *
 * Return: the poorer of their two kinds of link.  NONE also for a GPU and itself, and for memory
 * that ends beyond what peer addresses hold.
 */
enum rm_peer_link rm_peer_link(struct rm_gpu *a, struct rm_gpu *b);

/**
 * rm_peer_create - let two GPUs reach each other's memory
 * @a: a GPU
 * @b: the other
 *
 * Counts: rm_peer_destroy() undoes it as often.
 * Context: may sleep; nothing is waited for.
 * Return: 0, or -EOPNOTSUPP without a link.
 */
int rm_peer_create(struct rm_gpu *a, struct rm_gpu *b);

/**
 * rm_peer_destroy - the reverse of rm_peer_create()
 * @a: a GPU
 * @b: the other
 *
 * What still uses an address of a peer that is none any more reads zeros, writes nothing, and is
 * counted; a copy kills its channel.
 * Context: may sleep; nothing is waited for.
 */
void rm_peer_destroy(struct rm_gpu *a, struct rm_gpu *b);

/**
 * rm_peer_id - by which id a GPU knows a peer
 * @gpu: the GPU
 * @peer: the other
 *
 * Return: below RM_PEER_IDS, the same for as long as both live.
 */
unsigned int rm_peer_id(struct rm_gpu *gpu, struct rm_gpu *peer);

/* ---- channels -------------------------------------------------------- */

enum rm_engine {
	RM_ENGINE_CE_HTOD,
	RM_ENGINE_CE_DTOH,
	RM_ENGINE_CE_INTERNAL,
};

/**
 * struct rm_channel_info - a channel as its owner sees it
 * @gpfifo: ring of GPFIFO entries (host_class.h), @entries long, CPU mapped
 * @entries: power of two
 * @gp_put: PUT index, written by the owner before the doorbell
 * @gp_get: GET index, written by the device
 * @error: 0, or RM_CHANNEL_ERR_*; set by the device, the channel is then dead
 */
struct rm_channel_info {
	u64 *gpfifo;
	unsigned int entries;
	u32 *gp_put;
	u32 *gp_get;
	u32 *error;
};

#define RM_CHANNEL_ERR_METHOD	1	/* unknown method or operand */
#define RM_CHANNEL_ERR_FETCH	2	/* pushbuffer not readable */
#define RM_CHANNEL_ERR_DMA	3	/* copy touched an unmapped address */
#define RM_CHANNEL_ERR_CLASS	4	/* wrong SET_OBJECT */
#define RM_CHANNEL_ERR_MMU	5	/* a fault that the driver gave up on */

/**
 * rm_channel_alloc - make a channel of the driver's, with addresses of rm_va_map()
 * @gpu: the GPU
 * @engine: kind of copy engine that its copies go to
 * @entries: of its GPFIFO, a power of two, at most 65536
 * @channel: out
 *
 * Context: may sleep.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int rm_channel_alloc(struct rm_gpu *gpu, enum rm_engine engine, unsigned int entries,
		     struct rm_channel **channel);

/**
 * rm_channel_free - end a channel; work that is still under way is dropped
 * @channel: nobody rings its doorbell any more
 *
 * Context: may sleep: waits for its engine at a copy boundary.
 */
void rm_channel_free(struct rm_channel *channel);

/**
 * rm_channel_info - a channel as its owner sees it
 * @channel: the channel
 *
 * Return: valid until rm_channel_free().
 */
const struct rm_channel_info *rm_channel_info(struct rm_channel *channel);

/**
 * rm_channel_doorbell - tell the device that PUT moved; orders earlier stores before it
 * @channel: the channel
 *
 * Context: any but interrupts; does not sleep.
 */
void rm_channel_doorbell(struct rm_channel *channel);

/* ---- non-replayable faults ------------------------------------------- */

/*
 * Faults of copy engines with virtual operands.  RM owns the hardware's buffer
 * and hands records out from a shadow queue: nvUvmInterfaceHasPendingNon-
 * ReplayableFaults and ..GetNonReplayableFaults.  Interrupt:
 * REG_INTR_NON_REPLAYABLE_FAULT.  Its channel does no copy until
 * HOST_CLEAR_FAULTED, or until the driver gives up on it.
 */

/**
 * rm_nonreplayable_pending - is there a record for rm_nonreplayable_get()?
 * @gpu: the GPU
 *
 * Context: any.
 * Return: true if so.
 */
bool rm_nonreplayable_pending(struct rm_gpu *gpu);

/**
 * rm_nonreplayable_get - take the oldest record off the shadow queue
 * @gpu: the GPU
 * @record: out: FAULT_RECORD_BYTES of it (fault_format.h)
 *
 * Context: any.
 * Return: true; false: there is none.
 */
bool rm_nonreplayable_get(struct rm_gpu *gpu, u32 *record);

/* ---- compute contexts (one per open /dev/softgpuN) ------------------- */

/**
 * rm_context_get - take a reference on the context behind a file, for a VA space
 * @file: the file
 * @context: out: for rm_context_put()
 *
 * Return: 0, -EBADF (no softgpu file), or -EBUSY: it already belongs to a VA space.
 */
int rm_context_get(struct file *file, struct rm_context **context);

/**
 * rm_context_put - the reverse of rm_context_get()
 * @context: the context
 *
 * Context: may sleep: the last reference frees it.
 */
void rm_context_put(struct rm_context *context);

/**
 * rm_context_gpu - the GPU of a context
 * @context: the context
 *
 * Return: the GPU.
 */
struct rm_gpu *rm_context_gpu(struct rm_context *context);

/**
 * rm_context_instance - what fault records carry of a context
 * @context: the context
 *
 * Return: its instance pointer: 4K aligned, aperture VID, unique while it lives.
 */
u64 rm_context_instance(struct rm_context *context);

/**
 * rm_context_set_page_directory - bind an address space to a context
 * @context: is not bound
 * @aperture: of the page directory: VID or SYS
 * @pa: its physical address, 4K aligned
 *
 * Context: any.
 */
void rm_context_set_page_directory(struct rm_context *context, enum rm_aperture aperture,
				   u64 pa);

/**
 * rm_context_set_prepare - say what runs before each launch of a context is queued
 * @context: the context
 * @prepare: called in the thread that launches, a participant; it may wait, one at a time; or NULL
 * @data: its argument
 *
 * Context: participant; waits for one before it that runs: hold no lock that it takes.
 */
void rm_context_set_prepare(struct rm_context *context, void (*prepare)(void *data), void *data);

/**
 * struct rm_launch - a launch of a context
 * @instance: rm_context_instance()
 * @id: its number within the context, from 1
 * @function: image address of the entry function
 * @blocks: of its grid
 */
struct rm_launch {
	u64 instance;
	u64 id;
	u64 function;
	u64 blocks;
};

/**
 * rm_context_set_launched - say who is told of launches
 * @context: the context
 * @launched: called when a launch begins, and when one that began has ended, from an event
 *	of the device: no participant, it may sleep but not wait for simulated time; or NULL
 * @data: its argument
 *
 * Context: any.  Replacing one does not wait: do that behind rm_context_stop().
 */
void rm_context_set_launched(struct rm_context *context,
			     void (*launched)(void *data, const struct rm_launch *launch,
					      bool begins), void *data);

/**
 * rm_context_stop - stop all work of a context; further launches and copies are refused
 * @context: the context
 *
 * Launches end with -ECANCELED, their accesses are dropped, none is in flight on return.
 * Context: may sleep; no lock held that events take.
 */
void rm_context_stop(struct rm_context *context);

/**
 * rm_context_unset_page_directory - unbind the address space, and forget what is known of it
 * @context: stopped by rm_context_stop()
 *
 * Context: may sleep.
 */
void rm_context_unset_page_directory(struct rm_context *context);

/**
 * rm_context_set_fault_error - the driver gives up on a fault
 * @context: the context
 * @va: in the page of 4K that faulted
 * @error: the launch ends with this errno, of any sign, when the access is cancelled
 *
 * Context: any but interrupts.
 */
void rm_context_set_fault_error(struct rm_context *context, u64 va, int error);

/**
 * rm_context_channel_id - the channel of a context on a copy engine
 * @context: the context
 * @engine: the engine's id in fault records
 *
 * Context: any but interrupts.
 * Return: id for HOST_CLEAR_FAULTED, or -ENOENT if it is gone.
 */
int rm_context_channel_id(struct rm_context *context, u32 engine);

/**
 * rm_context_copies_moved - how far the channel of a context on a copy engine has come
 * @context: the context
 * @engine: the engine's id in fault records
 *
 * As USERD's GP_GET, but that counts whole pushes, and this the pieces of a copy, too.
 * Context: any but interrupts.
 * Return: pieces of copies that it has moved; only grows.  0 if the channel is gone.
 */
u64 rm_context_copies_moved(struct rm_context *context, u32 engine);

/**
 * rm_context_report_fault - a non-replayable fault cannot be served: kill the context's channel
 * @context: the context
 * @engine: on this engine, by its id in fault records
 * @error: a negative errno, with which the copy that faulted ends; those behind it with -ECANCELED
 *
 * The copy tells address and access of the fault.  In the role of
 * nvUvmInterfaceReportNonReplayableFault.
 * Context: any but interrupts.
 */
void rm_context_report_fault(struct rm_context *context, u32 engine, int error);

/**
 * rm_gpu_set_lost - the driver cannot serve faults any more, or can again
 * @gpu: the GPU
 * @lost: true: running launches end with SOFTGPU_FAIL_HANG, copies that wait for a fault with
 *	-EIO, none of either is accepted (-EIO)
 *
 * On the virtual clock the device finds out by itself that nothing goes on.
 * Context: any but interrupts.
 */
void rm_gpu_set_lost(struct rm_gpu *gpu, bool lost);

/**
 * rm_gpu_computing - can a launch go on by itself?
 * @gpu: the GPU
 *
 * rm_gpu_waitq() is woken when launches end, and on the real clock whenever an SM has nothing left
 * to do.
 * Context: any but interrupts.
 * Return: true if so; not while all of it waits for replays.
 */
bool rm_gpu_computing(struct rm_gpu *gpu);

/**
 * rm_gpu_busy - can any launch of a GPU, or its hardware queues, make progress?
 * @gpu: the GPU
 *
 * Context: any but interrupts.
 * Return: true if so.
 */
bool rm_gpu_busy(struct rm_gpu *gpu);

#endif
