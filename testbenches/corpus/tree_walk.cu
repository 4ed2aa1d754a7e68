/* A search tree in each thread's memory, made by insertion and walked by recursion over pointers. */
#include "testbenches/corpus/device.h"

namespace reconverge::corpus {

namespace {
struct Node {
  unsigned key;
  Node* left;
  Node* right;
};

__device__ __noinline__ void insert(Node** root, Node* node) {
  while (*root != nullptr) root = node->key < (*root)->key ? &(*root)->left : &(*root)->right;
  *root = node;
}

__device__ __noinline__ unsigned walk(const Node* node, unsigned* out, unsigned at) {
  if (node == nullptr) return at;
  at = walk(node->left, out, at);
  out[at++] = node->key;
  return walk(node->right, out, at);
}

__device__ __noinline__ unsigned depth(const Node* node) {
  if (node == nullptr) return 0;
  const unsigned left = depth(node->left);
  const unsigned right = depth(node->right);
  return 1 + (left > right ? left : right);
}
}  // namespace

extern "C" __global__ void tree_walk(Input input, unsigned* output, unsigned* sums) {
  Node nodes[12];
  Node* root = nullptr;
  const unsigned n = thread_number();
  for (unsigned i = 0; i < 12; ++i) {
    nodes[i] = {input[(n * 12 + i) % 1024], nullptr, nullptr};
    insert(&root, &nodes[i]);
  }
  walk(root, output + 16 * n, 0);
  output[16 * n + 12] = depth(root);
  atomic_add(&sums[depth(root)], 1);
}

}  // namespace reconverge::corpus
// SPDX-License-Identifier: Apache-2.0
