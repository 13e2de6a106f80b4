/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Graphs and stream capture.  Included by cuda_runtime_api.h.
 *
 * Some calls have other parameters in CUDA 11 and 13 than in CUDA 12.  In C++ all forms are there; in
 * C the names mean what they mean in the version that CUDART_VERSION says.  Here a name without a suffix
 * is that of CUDA 12, _v2 and _v3 are what CUDA 12 calls those of CUDA 13, _v1 is that of CUDA 11.
 */
#ifndef SOFTUVM_CUDA_GRAPH_API_H
#define SOFTUVM_CUDA_GRAPH_API_H

#ifdef __cplusplus
#define SOFTUVM_OR(value)	= value
extern "C" {
#else
#define SOFTUVM_OR(value)
#endif

/* ---- capture ---------------------------------------------------------- */

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
					  const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
					  size_t count, enum cudaStreamCaptureMode mode);
cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
cudaError_t cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
				     unsigned long long *id SOFTUVM_OR(0),
				     cudaGraph_t *graph SOFTUVM_OR(0),
				     const cudaGraphNode_t **before SOFTUVM_OR(0),
				     size_t *count SOFTUVM_OR(0));
cudaError_t cudaStreamGetCaptureInfo_v3(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
					unsigned long long *id, cudaGraph_t *graph,
					const cudaGraphNode_t **before,
					const cudaGraphEdgeData **edges, size_t *count);
cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *before,
						size_t count, unsigned int flags SOFTUVM_OR(0));
cudaError_t cudaStreamUpdateCaptureDependencies_v2(cudaStream_t stream, cudaGraphNode_t *before,
						   const cudaGraphEdgeData *edges, size_t count,
						   unsigned int flags SOFTUVM_OR(0));
cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);

/* ---- graphs ----------------------------------------------------------- */

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
cudaError_t cudaGraphDestroy(cudaGraph_t graph);
cudaError_t cudaGraphClone(cudaGraph_t *clone, cudaGraph_t graph);
cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original,
				     cudaGraph_t clone);
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node);

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t *node, cudaGraph_t graph,
				     const cudaGraphNode_t *before, size_t count, void *dst,
				     const void *src, size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeToSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					   const cudaGraphNode_t *before, size_t count,
					   const void *symbol, const void *src, size_t bytes,
					   size_t offset, enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemcpyNodeFromSymbol(cudaGraphNode_t *node, cudaGraph_t graph,
					     const cudaGraphNode_t *before, size_t count, void *dst,
					     const void *symbol, size_t bytes, size_t offset,
					     enum cudaMemcpyKind kind);
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t *node, cudaGraph_t graph,
				   const cudaGraphNode_t *before, size_t count,
				   const struct cudaMemsetParams *params);
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t *node, cudaGraph_t graph,
				 const cudaGraphNode_t *before, size_t count,
				 const struct cudaHostNodeParams *params);
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t *node, cudaGraph_t graph,
				       const cudaGraphNode_t *before, size_t count, cudaGraph_t child);
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t *node, cudaGraph_t graph,
				  const cudaGraphNode_t *before, size_t count);
cudaError_t cudaGraphAddEventRecordNode(cudaGraphNode_t *node, cudaGraph_t graph,
					const cudaGraphNode_t *before, size_t count,
					cudaEvent_t event);
cudaError_t cudaGraphAddEventWaitNode(cudaGraphNode_t *node, cudaGraph_t graph,
				      const cudaGraphNode_t *before, size_t count, cudaEvent_t event);
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t *node, cudaGraph_t graph,
				     const cudaGraphNode_t *before, size_t count,
				     struct cudaMemAllocNodeParams *params);
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t *node, cudaGraph_t graph,
				    const cudaGraphNode_t *before, size_t count, void *ptr);
cudaError_t cudaDeviceGraphMemTrim(int device);
cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *before,
			     size_t count, struct cudaGraphNodeParams *params);
cudaError_t cudaGraphAddNode_v2(cudaGraphNode_t *node, cudaGraph_t graph,
				const cudaGraphNode_t *before, const cudaGraphEdgeData *edges,
				size_t count, struct cudaGraphNodeParams *params);

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node,
					 const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *dst, const void *src,
					   size_t bytes, enum cudaMemcpyKind kind);
cudaError_t cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params);
cudaError_t cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params);
cudaError_t cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params);
cudaError_t cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params);
cudaError_t cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);

/* ---- edges ------------------------------------------------------------ */

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
				     const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphAddDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
					size_t count);
cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
					const cudaGraphNode_t *to, size_t count);
cudaError_t cudaGraphRemoveDependencies_v2(cudaGraph_t graph, const cudaGraphNode_t *from,
					   const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
					   size_t count);
cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
			      size_t *count);
cudaError_t cudaGraphGetEdges_v2(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
				 cudaGraphEdgeData *edges, size_t *count);
cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *before, size_t *count);
cudaError_t cudaGraphNodeGetDependencies_v2(cudaGraphNode_t node, cudaGraphNode_t *before,
					    cudaGraphEdgeData *edges, size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *behind,
					   size_t *count);
cudaError_t cudaGraphNodeGetDependentNodes_v2(cudaGraphNode_t node, cudaGraphNode_t *behind,
					      cudaGraphEdgeData *edges, size_t *count);

/* ---- graphs that run -------------------------------------------------- */

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph,
				 unsigned long long flags SOFTUVM_OR(0));
cudaError_t cudaGraphInstantiate_v1(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *node,
				    char *log, size_t bytes);
cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
					  unsigned long long flags SOFTUVM_OR(0));
cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
					   cudaGraphInstantiateParams *params);
cudaError_t cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec);
cudaError_t cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaKernelNodeParams *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemcpy3DParms *params);
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t exec, cudaGraphNode_t node, void *dst,
					       const void *src, size_t bytes,
					       enum cudaMemcpyKind kind);
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					     const struct cudaMemsetParams *params);
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t exec, cudaGraphNode_t node,
					   const struct cudaHostNodeParams *params);
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph,
				cudaGraphExecUpdateResultInfo *info);
cudaError_t cudaGraphExecUpdate_v1(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *node,
				   enum cudaGraphExecUpdateResult *result);

#ifdef __cplusplus
}
#include "cuda_graph_overloads.h"
#else
#if CUDART_VERSION < 12000
#define cudaGraphInstantiate		cudaGraphInstantiate_v1
#define cudaGraphExecUpdate		cudaGraphExecUpdate_v1
#endif
#if CUDART_VERSION >= 13000
#define cudaStreamGetCaptureInfo	cudaStreamGetCaptureInfo_v3
#define cudaStreamUpdateCaptureDependencies	cudaStreamUpdateCaptureDependencies_v2
#define cudaGraphAddNode		cudaGraphAddNode_v2
#define cudaGraphAddDependencies	cudaGraphAddDependencies_v2
#define cudaGraphRemoveDependencies	cudaGraphRemoveDependencies_v2
#define cudaGraphGetEdges		cudaGraphGetEdges_v2
#define cudaGraphNodeGetDependencies	cudaGraphNodeGetDependencies_v2
#define cudaGraphNodeGetDependentNodes	cudaGraphNodeGetDependentNodes_v2
#endif
#endif
#undef SOFTUVM_OR

#define cudaStreamGetCaptureInfo_v2	cudaStreamGetCaptureInfo

#endif
