#include "scenes/mesh_io.hpp"

#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>
#include <fmt/format.h>

#include <algorithm>
#include <assimp/Importer.hpp>
#include <bit>
#include <fstream>
#include <numbers>
#include <ostream>
#include <string_view>

#include "models/core/error.hpp"
#include "scenes/ply_guard.hpp"

namespace reconverge::scenes {

namespace {

Vec3 to_vec3(const aiVector3D& v) { return {v.x, v.y, v.z}; }

/// Colours of a file may be anything; a path tracer needs them finite, and no surface may make light from light.
float clamp_colour(float value, float most) { return std::isfinite(value) ? std::clamp(value, 0.0F, most) : 0.0F; }

Material read_material(const aiMaterial& source) {
  aiColor3D albedo(0.7F, 0.7F, 0.7F);
  if (source.Get(AI_MATKEY_BASE_COLOR, albedo) != aiReturn_SUCCESS) source.Get(AI_MATKEY_COLOR_DIFFUSE, albedo);
  aiColor3D emission(0.0F, 0.0F, 0.0F);
  source.Get(AI_MATKEY_COLOR_EMISSIVE, emission);
  float strength = 1.0F;
  source.Get(AI_MATKEY_EMISSIVE_INTENSITY, strength);
  Material material{};
  for (unsigned i = 0; i < 3; ++i) {
    material.albedo[i] = clamp_colour(albedo[i], 1.0F);
    material.emission[i] = clamp_colour(emission[i] * strength, 1e6F);
  }
  return material;
}

class Reader {
 public:
  Reader(const aiScene& scene, LoadedMesh& out) : scene_(scene), out_(out) {}

  void read() {
    for (unsigned i = 0; i < scene_.mNumMaterials; ++i) {
      out_.mesh.materials.push_back(read_material(*scene_.mMaterials[i]));
      out_.mesh.material_names.emplace_back(scene_.mMaterials[i]->GetName().C_Str());
    }
    if (out_.mesh.materials.empty()) {
      out_.mesh.materials.push_back(read_material(aiMaterial{}));
      out_.mesh.material_names.emplace_back("default");
    }
    read_node(*scene_.mRootNode, aiMatrix4x4());
  }

  bool read_camera() {
    if (scene_.mNumCameras == 0) return false;
    const aiCamera& source = *scene_.mCameras[0];
    aiMatrix4x4 transform;
    for (const aiNode* node = scene_.mRootNode->FindNode(source.mName); node != nullptr; node = node->mParent) {
      transform = node->mTransformation * transform;
    }
    const aiMatrix3x3 turn(transform);
    Camera& camera = out_.mesh.camera;
    const aiVector3D eye = transform * source.mPosition;
    camera.eye = to_vec3(eye);
    camera.look_at = to_vec3(eye + turn * source.mLookAt);
    camera.up = to_vec3(turn * source.mUp);
    // assimp gives half of the horizontal angle.
    const float aspect = source.mAspect > 0.0F ? source.mAspect : 4.0F / 3.0F;
    const float half = std::atan(std::tan(source.mHorizontalFOV / 2.0F) / aspect);
    camera.vertical_field_of_view = 2.0F * half * 180.0F / std::numbers::pi_v<float>;
    return true;
  }

 private:
  // NOLINTNEXTLINE(misc-no-recursion): as deep as the file's node tree
  void read_node(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 transform = parent * node.mTransformation;
    for (unsigned i = 0; i < node.mNumMeshes; ++i) read_mesh(*scene_.mMeshes[node.mMeshes[i]], transform);
    for (unsigned i = 0; i < node.mNumChildren; ++i) read_node(*node.mChildren[i], transform);
  }

  void read_mesh(const aiMesh& source, const aiMatrix4x4& transform) {
    Mesh& mesh = out_.mesh;
    const auto base = static_cast<std::uint32_t>(mesh.positions.size());
    for (unsigned i = 0; i < source.mNumVertices; ++i)
      mesh.positions.push_back(to_vec3(transform * source.mVertices[i]));
    for (unsigned i = 0; i < source.mNumFaces; ++i) {
      const aiFace& face = source.mFaces[i];
      if (face.mNumIndices != 3) {
        ++out_.repairs.other_primitives;
        continue;
      }
      // An index beyond this part must not land in another part's vertices.
      const auto corner = [&](unsigned k) {
        return face.mIndices[k] < source.mNumVertices ? base + face.mIndices[k] : 0xFFFFFFFFU;
      };
      mesh.triangles.push_back({corner(0), corner(1), corner(2)});
      mesh.material_of_triangle.push_back(source.mMaterialIndex < mesh.materials.size() ? source.mMaterialIndex : 0);
    }
  }

  const aiScene& scene_;
  LoadedMesh& out_;
};

}  // namespace

LoadedMesh load_mesh(const std::filesystem::path& file) {
  const std::string name = file.string();
  if (!std::filesystem::is_regular_file(file)) {
    throw InputError({name}, "there is no such scene file", "give the path of an .obj, .ply, .gltf or .glb file");
  }
  Assimp::Importer importer;
  if (!importer.IsExtensionSupported(file.extension().string())) {
    throw InputError({name}, fmt::format("'{}' is not a scene format that can be read", file.extension().string()),
                     "convert it to .obj, .ply, .gltf or .glb");
  }
  if (file.extension() == ".ply") check_ply(file);
  const aiScene* scene = importer.ReadFile(name, aiProcess_Triangulate | aiProcess_SortByPType);
  if (scene == nullptr || scene->mRootNode == nullptr) {
    throw InputError({name}, fmt::format("cannot be read as a scene: {}", importer.GetErrorString()));
  }
  LoadedMesh loaded;
  loaded.mesh.name = name;
  Reader reader(*scene, loaded);
  reader.read();
  const std::size_t others = loaded.repairs.other_primitives;
  loaded.repairs = repair(loaded.mesh);
  loaded.repairs.other_primitives = others;
  if (loaded.mesh.triangles.empty()) {
    throw InputError({name}, "has no triangle that can be traced",
                     loaded.repairs.dropped() == 0 ? "" : to_string(loaded.repairs));
  }
  if (!reader.read_camera()) loaded.mesh.camera = camera_for(loaded.mesh.bounds(), {0.0F, 0.0F, 1.0F});
  check_mesh(loaded.mesh);
  return loaded;
}

namespace {

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view blank = " \t\r";
  const std::size_t first = text.find_first_not_of(blank);
  return first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(blank) - first + 1);
}

/// What follows `keyword` in a line of an OBJ file; empty when the line begins with another.
std::string_view argument_of(std::string_view line, std::string_view keyword) {
  line = trimmed(line);
  if (!line.starts_with(keyword)) return {};
  line.remove_prefix(keyword.size());
  return line.empty() || (line.front() != ' ' && line.front() != '\t') ? std::string_view{} : trimmed(line);
}

}  // namespace

std::vector<std::filesystem::path> material_files(const std::filesystem::path& file) {
  std::vector<std::filesystem::path> found;
  if (file.extension() != ".obj") return found;
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    const std::string_view name = argument_of(line, "mtllib");
    if (name.empty()) continue;
    // assimp takes the file of the same name where the one named is not there.
    std::filesystem::path named = file.parent_path() / name;
    if (!std::filesystem::is_regular_file(named)) named = std::filesystem::path(file).replace_extension(".mtl");
    const bool is_new = std::find(found.begin(), found.end(), named) == found.end();
    if (is_new && std::filesystem::is_regular_file(named)) found.push_back(named);
  }
  return found;
}

void write_ply(const Mesh& mesh, std::ostream& out) {
  static_assert(std::endian::native == std::endian::little && sizeof(Vec3) == 12);
  out << fmt::format(
      "ply\nformat binary_little_endian 1.0\nelement vertex {}\nproperty float x\nproperty float y\nproperty float z\n"
      "element face {}\nproperty list uchar int vertex_indices\nend_header\n",
      mesh.positions.size(), mesh.triangles.size());
  const auto put = [&out](const auto& value) {
    const auto bytes = std::bit_cast<std::array<char, sizeof(value)>>(value);
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  };
  for (const Vec3 position : mesh.positions) put(position);
  for (const TriangleIndices& triangle : mesh.triangles) {
    put(std::uint8_t{3});
    for (const std::uint32_t corner : triangle) put(corner);
  }
}

}  // namespace reconverge::scenes
