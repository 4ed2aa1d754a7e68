// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Orders the nodes of a streaming graph, and adds the synchronisation of its streams (Popa 4.2.1).

#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge::kernel {

/// Fills StreamNode::order and ::component, and StreamArc::feedback.
void order_nodes(StreamingGraph& graph);

/// A node at which paths that diverged at one node reconverge waits until all records on these paths have arrived
/// (NodeKind::merging).
void mark_merging_nodes(StreamingGraph& graph);

/// A node after a loop holds its records until the loop is empty (NodeKind::accumulation). If it also has other
/// predecessors, a separate node on the arcs out of the loop holds them.
void add_accumulation_nodes(StreamingGraph& graph);

}  // namespace reconverge::kernel
