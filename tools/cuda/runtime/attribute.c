// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes of streams.  They are hints to hardware that this GPU has not: an L2 cache that keeps
 * lines, a CPU that spins.  They are looked at, kept and told, as on GPUs before compute capability 8.
 */
#include "runtime.h"

/* CUDA runtime API, struct cudaAccessPolicyWindow: misses cannot persist; the ratio is a part. */
static bool attribute_window_is_good(const struct cudaAccessPolicyWindow *w)
{
	return w->hitRatio >= 0 && w->hitRatio <= 1 &&
	       (unsigned int)w->hitProp <= cudaAccessPropertyPersisting &&
	       (unsigned int)w->missProp <= cudaAccessPropertyStreaming;
}

static bool attribute_policy_is_good(enum cudaSynchronizationPolicy policy)
{
	return policy >= cudaSyncPolicyAuto && policy <= cudaSyncPolicyBlockingSync;
}

cudaError_t rt_hint(cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value)
{
	bool good = true;

	switch (id) {
	case cudaLaunchAttributeAccessPolicyWindow:
		good = attribute_window_is_good(&value->accessPolicyWindow);
		break;
	case cudaLaunchAttributeSynchronizationPolicy:
		good = attribute_policy_is_good(value->syncPolicy);
		break;
	case cudaLaunchAttributeIgnore:
	case cudaLaunchAttributePriority:
		break;
	default:
		return cudaErrorNotSupported;
	}
	return good ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t attribute_enter(cudaStream_t stream, const void *value, struct CUstream_st **s)
{
	cudaError_t error = rt_enter();

	if (!error)
		error = rt_stream(stream, s);
	return error || value ? error : cudaErrorInvalidValue;
}

/* A priority becomes one that there is, 0, as in cudaStreamCreateWithPriority(). */
cudaError_t cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
				   const cudaLaunchAttributeValue *value)
{
	struct CUstream_st *s;
	cudaError_t error = attribute_enter(stream, value, &s);

	if (!error)
		error = id == cudaLaunchAttributeIgnore ? cudaErrorInvalidValue : rt_hint(id, value);
	if (!error && id == cudaLaunchAttributeAccessPolicyWindow)
		s->window = value->accessPolicyWindow;
	if (!error && id == cudaLaunchAttributeSynchronizationPolicy)
		s->policy = value->syncPolicy;
	return rt_leave(error);
}

static cudaError_t attribute_tell(const struct CUstream_st *s, cudaLaunchAttributeID id,
				  cudaLaunchAttributeValue *value)
{
	switch (id) {
	case cudaLaunchAttributeAccessPolicyWindow:
		value->accessPolicyWindow = s->window;
		return cudaSuccess;
	case cudaLaunchAttributeSynchronizationPolicy:
		value->syncPolicy = s->policy ? s->policy : cudaSyncPolicyAuto;
		return cudaSuccess;
	case cudaLaunchAttributePriority:
		value->priority = 0;
		return cudaSuccess;
	case cudaLaunchAttributeIgnore:
		return cudaErrorInvalidValue;
	default:
		return cudaErrorNotSupported;
	}
}

cudaError_t cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID id,
				   cudaLaunchAttributeValue *value)
{
	struct CUstream_st *s;
	cudaError_t error = attribute_enter(stream, value, &s);

	return rt_leave(error ? error : attribute_tell(s, id, value));
}

cudaError_t cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from)
{
	struct CUstream_st *t, *f;
	cudaError_t error = rt_enter();

	if (!error)
		error = rt_stream(to, &t);
	if (!error)
		error = rt_stream(from, &f);
	if (!error) {
		t->window = f->window;
		t->policy = f->policy;
	}
	return rt_leave(error);
}

/* No line persists. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	return rt_leave(rt_enter());
}
