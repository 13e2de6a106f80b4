/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What C++ programs for CUDA 11 and CUDA 13 write, and variables of the device without "&".  Included
 * by cuda_graph_api.h.
 */
#ifndef SOFTUVM_CUDA_GRAPH_OVERLOADS_H
#define SOFTUVM_CUDA_GRAPH_OVERLOADS_H

/* ---- CUDA 11 ---------------------------------------------------------- */

static inline cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
					       cudaGraphNode_t *node, char *log, size_t bytes)
{
	return cudaGraphInstantiate_v1(exec, graph, node, log, bytes);
}

static inline cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
					      cudaGraphNode_t *node, cudaGraphExecUpdateResult *result)
{
	return cudaGraphExecUpdate_v1(exec, graph, node, result);
}

/* ---- CUDA 13: edges have data ----------------------------------------- */

static inline cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream,
						   cudaStreamCaptureStatus *status,
						   unsigned long long *id, cudaGraph_t *graph,
						   const cudaGraphNode_t **before,
						   const cudaGraphEdgeData **edges,
						   size_t *count = 0)
{
	return cudaStreamGetCaptureInfo_v3(stream, status, id, graph, before, edges, count);
}

static inline cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream,
							      cudaGraphNode_t *before,
							      const cudaGraphEdgeData *edges,
							      size_t count, unsigned int flags = 0)
{
	return cudaStreamUpdateCaptureDependencies_v2(stream, before, edges, count, flags);
}

static inline cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph,
					   const cudaGraphNode_t *before,
					   const cudaGraphEdgeData *edges, size_t count,
					   struct cudaGraphNodeParams *params)
{
	return cudaGraphAddNode_v2(node, graph, before, edges, count, params);
}

static inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						   const cudaGraphNode_t *to,
						   const cudaGraphEdgeData *edges, size_t count)
{
	return cudaGraphAddDependencies_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
						      const cudaGraphNode_t *to,
						      const cudaGraphEdgeData *edges, size_t count)
{
	return cudaGraphRemoveDependencies_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from,
					    cudaGraphNode_t *to, cudaGraphEdgeData *edges,
					    size_t *count)
{
	return cudaGraphGetEdges_v2(graph, from, to, edges, count);
}

static inline cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before,
						       cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependencies_v2(node, before, edges, count);
}

static inline cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node,
							 cudaGraphNode_t *behind,
							 cudaGraphEdgeData *edges, size_t *count)
{
	return cudaGraphNodeGetDependentNodes_v2(node, behind, edges, count);
}

/* ---- variables of the device ------------------------------------------ */

template<class T>
static inline cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
							 const cudaGraphNode_t *before, size_t count,
							 const T &symbol, const void *src,
							 size_t bytes, size_t offset,
							 cudaMemcpyKind kind)
{
	return cudaGraphAddMemcpyNodeToSymbol(node, graph, before, count, (const void *)&symbol, src,
					      bytes, offset, kind);
}

template<class T>
static inline cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
							   const cudaGraphNode_t *before,
							   size_t count, void *dst, const T &symbol,
							   size_t bytes, size_t offset,
							   cudaMemcpyKind kind)
{
	return cudaGraphAddMemcpyNodeFromSymbol(node, graph, before, count, dst,
						(const void *)&symbol, bytes, offset, kind);
}

#endif
