// SPDX-License-Identifier: Apache-2.0
#include "models/core/signals_deferred.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <csignal>
#include <future>
#include <thread>

using namespace reconverge;

namespace {

volatile std::sig_atomic_t handled = 0;

/// Sets the handler of a signal during the lifetime of the object.
class Disposition {
 public:
  Disposition(int signal, void (*handler)(int)) : signal_(signal), earlier_(std::signal(signal, handler)) {}
  ~Disposition() { std::signal(signal_, earlier_); }
  Disposition(const Disposition&) = delete;
  Disposition& operator=(const Disposition&) = delete;

 private:
  int signal_;
  void (*earlier_)(int);
};

/// A thread that exists before the deferral, such as a library's, and that raises a signal on request.
class Bystander {
 public:
  void raise(int signal) {
    signal_.set_value(signal);
    thread_.join();
  }

 private:
  std::promise<int> signal_;
  std::thread thread_{[told = signal_.get_future()]() mutable { std::raise(told.get()); }};
};

}  // namespace

TEST_CASE("a deferred signal is delivered once, after the last deferral in any thread") {
  const int signal = GENERATE(SIGINT, SIGTERM, SIGHUP, SIGALRM);
  const Disposition counted(signal, [](int) { handled = handled + 1; });
  handled = 0;
  std::array<Bystander, 2> bystanders;
  {
    const SignalsDeferred outer;
    {
      const SignalsDeferred inner;
      for (Bystander& each : bystanders) each.raise(signal);
      std::raise(signal);
    }
    CHECK(handled == 0);
  }
  CHECK(handled == 1);
  std::raise(signal);
  CHECK(handled == 2);
}

TEST_CASE("an ignored signal stays ignored") {
  const Disposition ignored(SIGHUP, SIG_IGN);
  {
    const SignalsDeferred deferred;
    std::raise(SIGHUP);
  }
  std::raise(SIGHUP);  // otherwise ends the tests
  SUCCEED();
}
