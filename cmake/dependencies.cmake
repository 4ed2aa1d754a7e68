# Everything the tree links to, found once. All are Debian packages: scripts/run installs them.

find_package(Boost 1.81 REQUIRED COMPONENTS json)
find_package(yaml-cpp REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(OpenSSL 3 REQUIRED COMPONENTS Crypto)
find_package(embree 3 REQUIRED)
find_package(assimp REQUIRED)
find_path(STB_INCLUDE_DIR stb/stb_image_write.h REQUIRED)
include(cmake/systemc.cmake)
