/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory as a GPU addresses it, and kernel buffers that a GPU can reach.
 */
#ifndef UVM_GPU_MEMORY_H
#define UVM_GPU_MEMORY_H

#include <linux/types.h>
#include <softgpu/rm.h>

/**
 * struct uvm_gpu_address - physical address as one GPU sees it
 * @aperture: GPU memory, system memory, or memory of a peer
 * @address: physical address, a DMA address of that GPU, or rm_peer_address()
 */
struct uvm_gpu_address {
	enum rm_aperture aperture;
	u64 address;
};

/**
 * uvm_gpu_address_vid - memory of the GPU itself
 * @address: in it
 *
 * Return: the address as the GPU's engines and page tables have it.
 */
static inline struct uvm_gpu_address uvm_gpu_address_vid(u64 address)
{
	return (struct uvm_gpu_address){ RM_APERTURE_VID, address };
}

/**
 * uvm_gpu_address_sys - system memory
 * @iova: DMA address
 *
 * Return: likewise.
 */
static inline struct uvm_gpu_address uvm_gpu_address_sys(u64 iova)
{
	return (struct uvm_gpu_address){ RM_APERTURE_SYS, iova };
}

/**
 * uvm_gpu_address_peer - memory of a peer
 * @peer_id: as the GPU knows it, rm_peer_id()
 * @address: in the peer's memory
 *
 * Return: likewise.
 */
static inline struct uvm_gpu_address uvm_gpu_address_peer(unsigned int peer_id, u64 address)
{
	return (struct uvm_gpu_address){ RM_APERTURE_PEER, rm_peer_address(peer_id, address) };
}

/**
 * uvm_gpu_address_add - so many bytes behind an address
 * @a: the address
 * @bytes: how many
 *
 * Return: the address, in the same memory.
 */
static inline struct uvm_gpu_address uvm_gpu_address_add(struct uvm_gpu_address a, u64 bytes)
{
	a.address += bytes;
	return a;
}

/**
 * struct uvm_gpu_memory - kernel memory mapped for one GPU's DMA
 * @rm: the GPU
 * @bytes: size, whole pages; 0 while not allocated
 * @cpu: kernel mapping
 * @iova: DMA address, contiguous
 * @va: virtual address for the driver's channels, 0 if it has none
 */
struct uvm_gpu_memory {
	struct rm_gpu *rm;
	size_t bytes;
	void *cpu;
	u64 iova;
	u64 va;
};

/**
 * uvm_gpu_memory_alloc - allocate zeroed system memory and map it for a GPU
 * @rm: the GPU
 * @bytes: size; rounded up to pages, at most 2 MB
 * @memory: out
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_gpu_memory_alloc(struct rm_gpu *rm, size_t bytes, struct uvm_gpu_memory *memory);
/**
 * uvm_gpu_memory_alloc_channel - the same for what channels fetch or release
 * @rm: the GPU
 * @bytes: size; rounded up to pages, at most 2 MB
 * @memory: out; has a virtual address
 *
 * Pushbuffers and semaphores are virtual, as nvidia-uvm's (uvm_rm_mem).
 *
 * Return: 0 or -ENOMEM.
 */
int uvm_gpu_memory_alloc_channel(struct rm_gpu *rm, size_t bytes, struct uvm_gpu_memory *memory);

/**
 * uvm_gpu_memory_free - the reverse of uvm_gpu_memory_alloc()
 * @memory: the GPU does not use it any more; nothing happens if it is not allocated
 *
 * Context: may sleep.
 */
void uvm_gpu_memory_free(struct uvm_gpu_memory *memory);

/**
 * uvm_gpu_memory_address - where a byte of the memory is
 * @memory: allocated
 * @offset: below @memory->bytes
 *
 * Return: its DMA address.
 */
static inline struct uvm_gpu_address uvm_gpu_memory_address(const struct uvm_gpu_memory *memory,
							    size_t offset)
{
	return uvm_gpu_address_sys(memory->iova + offset);
}

#endif
