#pragma once
/* Addresses of the generic space, and of the others. */

__device__ inline size_t __cvta_generic_to_shared(const void* a) { return __nv_cvta_generic_to_shared_impl(a); }
__device__ inline size_t __cvta_generic_to_global(const void* a) { return __nv_cvta_generic_to_global_impl(a); }
__device__ inline size_t __cvta_generic_to_constant(const void* a) { return __nv_cvta_generic_to_constant_impl(a); }
__device__ inline size_t __cvta_generic_to_local(const void* a) { return __nv_cvta_generic_to_local_impl(a); }
__device__ inline void* __cvta_shared_to_generic(size_t a) { return __nv_cvta_shared_to_generic_impl(a); }
__device__ inline void* __cvta_global_to_generic(size_t a) { return __nv_cvta_global_to_generic_impl(a); }
__device__ inline void* __cvta_constant_to_generic(size_t a) { return __nv_cvta_constant_to_generic_impl(a); }
__device__ inline void* __cvta_local_to_generic(size_t a) { return __nv_cvta_local_to_generic_impl(a); }

/* The space that a generic address is in. */
__device__ inline unsigned __isGlobal(const void* a) { return __nvvm_isspacep_global(a); }
__device__ inline unsigned __isShared(const void* a) { return __nvvm_isspacep_shared(a); }
__device__ inline unsigned __isConstant(const void* a) { return __nvvm_isspacep_const(a); }
__device__ inline unsigned __isLocal(const void* a) { return __nvvm_isspacep_local(a); }
// SPDX-License-Identifier: Apache-2.0
