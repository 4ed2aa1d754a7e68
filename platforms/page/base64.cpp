// SPDX-License-Identifier: Apache-2.0
#include "platforms/page/base64.hpp"

#include <openssl/evp.h>

namespace reconverge::page {

std::string base64(std::string_view bytes) {
  std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // it writes a zero after the text
  const int length =
      EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                      reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
  text.resize(static_cast<std::size_t>(length));
  return text;
}

}  // namespace reconverge::page
