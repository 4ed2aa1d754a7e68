// SPDX-License-Identifier: Apache-2.0
#include "models/core/digest.hpp"

#include <fmt/format.h>
#include <openssl/evp.h>

#include <array>
#include <iterator>
#include <memory>
#include <stdexcept>

#include "models/core/input_file.hpp"

namespace reconverge {

namespace {

void expect(bool done) {
  if (!done) throw std::runtime_error("libcrypto cannot compute SHA-256");
}

}  // namespace

struct Sha256::Context {
  std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> handle{EVP_MD_CTX_new(), EVP_MD_CTX_free};
};

Sha256::Sha256() : context_(std::make_unique<Context>()) {
  expect(context_->handle != nullptr && EVP_DigestInit_ex(context_->handle.get(), EVP_sha256(), nullptr) == 1);
}

Sha256::~Sha256() = default;

void Sha256::add(std::string_view bytes) {
  expect(EVP_DigestUpdate(context_->handle.get(), bytes.data(), bytes.size()) == 1);
}

std::string Sha256::digits() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned length = 0;
  expect(EVP_DigestFinal_ex(context_->handle.get(), digest.data(), &length) == 1);
  std::string text;
  for (unsigned i = 0; i < length; ++i) fmt::format_to(std::back_inserter(text), "{:02x}", digest[i]);
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

std::string sha256_of_file(const std::filesystem::path& file) {
  InputFile in(file, input::any);
  Sha256 hash;
  std::array<char, 65536> buffer{};
  while (const std::size_t count = in.read(buffer)) hash.add({buffer.data(), count});
  return hash.digits();
}

}  // namespace reconverge
