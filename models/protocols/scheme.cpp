// SPDX-License-Identifier: Apache-2.0
#include "models/protocols/scheme.hpp"

#include <stdexcept>

namespace reconverge {

void Scheme::b_transport(SchemeRequest& request, sc_core::sc_time& /*delay*/) {
  switch (request.event) {
    case SchemeEvent::start:
      return start(request);
    case SchemeEvent::branch:
      return branch(request);
    case SchemeEvent::call:
      return call(request);
    case SchemeEvent::leave:
      return leave(request);
    case SchemeEvent::exit:
      return exit(request);
    case SchemeEvent::stop:
      return stop(request);
    case SchemeEvent::wait:
      return wait(request);
    case SchemeEvent::release:
      return release(request);
    case SchemeEvent::ask:
      return ask(request);
    case SchemeEvent::issued:
      return issued(request);
    case SchemeEvent::stall:
      return stall(request);
    case SchemeEvent::load:
      return load(request);
    case SchemeEvent::result:
      return result(request);
    case SchemeEvent::select:
      return select(request);
    case SchemeEvent::advance:
      return advance(request);
  }
}

void Scheme::not_answered(const SchemeRequest& request) const {
  throw std::logic_error(std::string(name()) + ": no answer to event " +
                         std::to_string(static_cast<unsigned>(request.event)));
}

}  // namespace reconverge
