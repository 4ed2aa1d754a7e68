// SPDX-License-Identifier: Apache-2.0
#include "scenes/structures/sbvh_splits.hpp"

#include <algorithm>
#include <utility>

#include "scenes/structures/triangle_box.hpp"

namespace reconverge::scenes {

namespace {

/// Sorts by the centres of the boxes; a node has one reference of each triangle.
void sort_along(std::vector<Reference>& references, std::size_t axis) {
  const auto centre = [axis](const Reference& r) { return component(r.box.low, axis) + component(r.box.high, axis); };
  std::ranges::sort(references, [&centre](const Reference& a, const Reference& b) {
    const float of_a = centre(a);
    const float of_b = centre(b);
    return of_a < of_b || (of_a == of_b && a.triangle < b.triangle);
  });
}

/// Whether a box has an area. A triangle's part in a line or a point is also in the adjacent part.
bool has_area(const Box& box) {
  const Vec3 size = box.size();
  return !box.empty() && int(size.x > 0.0F) + int(size.y > 0.0F) + int(size.z > 0.0F) >= 2;
}

Box joined(Box box, const Box& other) {
  box.extend(other);
  return box;
}

float plane_of(float low, float width, std::size_t slice) { return low + width * static_cast<float>(slice); }

void add(Part& part, const Reference& reference) {
  part.references.push_back(reference);
  part.box.extend(reference.box);
}

}  // namespace

SplitFinder::SplitFinder(const Mesh& mesh, double intersection_cost)
    : mesh_(mesh), intersection_cost_(intersection_cost) {}

double SplitFinder::cost(const Box& box, std::size_t count) const {
  return count == 0 || box.empty() ? 0.0 : half_area(box) * intersection_cost_ * static_cast<double>(count);
}

ObjectSplit SplitFinder::find_object_split(std::vector<Reference>& references) {
  ObjectSplit best;
  const std::size_t count = references.size();
  const auto unevenness = [count](std::size_t first) { return std::max(first, count - first); };
  behind_.resize(std::max(behind_.size(), count));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    sort_along(references, axis);
    Box after;
    for (std::size_t i = count; i-- > 1;) behind_[i] = after = joined(after, references[i].box);
    Box before;
    for (std::size_t i = 1; i < count; ++i) {
      before.extend(references[i - 1].box);
      const double found = cost(before, i) + cost(behind_[i], count - i);
      if (found < best.cost || (found == best.cost && unevenness(i) < unevenness(best.first_count)))
        best = {found, axis, i, {before, behind_[i]}};
    }
  }
  return best;
}

Halves SplitFinder::split(Part part, const ObjectSplit& split) {
  sort_along(part.references, split.axis);
  const auto middle = part.references.begin() + static_cast<std::ptrdiff_t>(split.first_count);
  std::vector<Reference> second(middle, part.references.end());
  part.references.erase(middle, part.references.end());
  return {Part{std::move(part.references), split.boxes[0]}, Part{std::move(second), split.boxes[1]}};
}

void SplitFinder::fill(std::size_t axis, const Part& part, float low, float width) {
  slices_.fill({});
  const auto slice_of = [low, width](float at) {
    return static_cast<std::size_t>(std::clamp((at - low) / width, 0.0F, static_cast<float>(slices - 1)));
  };
  for (const auto& [box, triangle] : part.references) {
    const std::size_t first = slice_of(component(box.low, axis));
    const std::size_t last = std::max(first, slice_of(component(box.high, axis)));
    const Corners corners = mesh_.corners(triangle);
    Box rest = box;
    for (std::size_t slice = first; slice < last; ++slice) {
      const auto [here, beyond] = split_bounds(corners, rest, axis, plane_of(low, width, slice + 1));
      if (!here.empty()) slices_[slice].box.extend(here);
      rest = beyond;
    }
    if (!rest.empty()) slices_[last].box.extend(rest);
    ++slices_[first].enter;
    ++slices_[last].exit;
  }
}

SpatialSplit SplitFinder::find_spatial_split(const Part& part) {
  SpatialSplit best;
  const std::size_t count = part.references.size();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const float low = component(part.box.low, axis);
    const float width = (component(part.box.high, axis) - low) * (1.0F / slices);
    if (!(width > 0.0F)) continue;
    fill(axis, part, low, width);
    std::array<Box, slices> after;
    after.back() = slices_.back().box;
    for (std::size_t i = slices - 1; i-- > 1;) after[i] = joined(after[i + 1], slices_[i].box);
    Box before;
    std::size_t in_first = 0;
    std::size_t in_second = count;
    for (std::size_t i = 1; i < slices; ++i) {
      before.extend(slices_[i - 1].box);
      in_first += slices_[i - 1].enter;
      in_second -= slices_[i - 1].exit;
      const double found = cost(before, in_first) + cost(after[i], in_second);
      if (found < best.cost) best = {found, axis, plane_of(low, width, i)};
    }
  }
  return best;
}

Halves SplitFinder::split(const Part& part, const SpatialSplit& split) const {
  Halves halves;
  auto& [first, second] = halves;
  std::vector<const Reference*> on_both;
  for (const Reference& reference : part.references) {
    if (component(reference.box.high, split.axis) <= split.plane) {
      add(first, reference);
    } else if (component(reference.box.low, split.axis) >= split.plane) {
      add(second, reference);
    } else {
      on_both.push_back(&reference);
    }
  }
  for (const Reference* const reference : on_both) {
    const auto [left, right] =
        split_bounds(mesh_.corners(reference->triangle), reference->box, split.axis, split.plane);
    if (!has_area(left) || !has_area(right)) {
      add(has_area(left) ? first : second, *reference);
      continue;
    }
    const std::size_t in_first = first.references.size();
    const std::size_t in_second = second.references.size();
    const double all_first = cost(joined(first.box, reference->box), in_first + 1) + cost(second.box, in_second);
    const double all_second = cost(first.box, in_first) + cost(joined(second.box, reference->box), in_second + 1);
    const double both = cost(joined(first.box, left), in_first + 1) + cost(joined(second.box, right), in_second + 1);
    if (all_first <= all_second && all_first <= both) {
      add(first, *reference);
    } else if (all_second <= both) {
      add(second, *reference);
    } else {
      add(first, {left, reference->triangle});
      add(second, {right, reference->triangle});
    }
  }
  return halves;
}

}  // namespace reconverge::scenes
