// SPDX-License-Identifier: Apache-2.0
// Before an exception leaves functions, AddressSanitizer clears its marks between the thrower and the end of the stack.
// SystemC tells it the stack of each process, but not the bounds of the main stack on the return to it. Without these,
// the marks stay, and a later function that uses the same place is reported wrongly. The linker puts this function in
// the place of the sanitizer's (--wrap), which it calls when it has set the bounds.
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>

#include <cstddef>

extern "C" void __real___asan_handle_no_return();  // NOLINT(bugprone-reserved-identifier): the name that --wrap gives

namespace {

struct Stack {
  char* bottom = nullptr;
  std::size_t size = 0;
};

/// The stack with which the thread started.
Stack stack_of_thread() {
  Stack stack;
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return stack;
  void* bottom = nullptr;
  pthread_attr_getstack(&attributes, &bottom, &stack.size);
  pthread_attr_destroy(&attributes);
  stack.bottom = static_cast<char*>(bottom);
  return stack;
}

}  // namespace

extern "C" void __wrap___asan_handle_no_return() {  // NOLINT(bugprone-reserved-identifier): as above
  const Stack stack = stack_of_thread();
  const char here = 0;
  if (&here >= stack.bottom && &here < stack.bottom + stack.size) {
    void* no_fiber = nullptr;
    __sanitizer_start_switch_fiber(&no_fiber, stack.bottom, stack.size);
    __sanitizer_finish_switch_fiber(no_fiber, nullptr, nullptr);
  }
  __real___asan_handle_no_return();
}
