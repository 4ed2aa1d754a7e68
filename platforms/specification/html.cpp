// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/html.hpp"

#include <cmark-gfm-core-extensions.h>
#include <cmark-gfm.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>

#include "platforms/specification/svg.hpp"

namespace reconverge::specification {

namespace {

struct Free {
  void operator()(cmark_parser* parser) const { cmark_parser_free(parser); }
  void operator()(cmark_node* node) const { cmark_node_free(node); }
  void operator()(cmark_iter* iterator) const { cmark_iter_free(iterator); }
  void operator()(char* text) const { cmark_get_default_mem_allocator()->free(text); }
};

template <typename Value>
using Owned = std::unique_ptr<Value, Free>;

// Wide tables have to fit on paper, and a figure or a row is not cut by the end of a page.
constexpr std::string_view style = R"(
body { font: 15px/1.5 sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #111; background: #fff }
h1, h2, h3 { line-height: 1.25; break-after: avoid }
h2 { border-bottom: 1px solid #ccc; padding-bottom: .2em; margin-top: 2em }
code, pre { font: .9em monospace }
code { overflow-wrap: break-word }
pre { background: #f5f5f5; padding: .7em; white-space: pre-wrap }
table { border-collapse: collapse; margin: 1em 0; font-size: .87em }
th, td { border: 1px solid #bbb; padding: .25em .5em; vertical-align: top; text-align: left }
th { background: #eee }
img { max-width: 100% }
img, tr { break-inside: avoid }
@page { size: A4; margin: 15mm }
@media print { body { font-size: 10px; max-width: none; margin: 0; padding: 0 } code { overflow-wrap: anywhere } }
)";

Owned<cmark_node> parsed(std::string_view markdown) {
  cmark_gfm_core_extensions_ensure_registered();
  const Owned<cmark_parser> parser(cmark_parser_new(CMARK_OPT_DEFAULT));
  cmark_syntax_extension* const table = cmark_find_syntax_extension("table");
  if (table == nullptr) throw std::logic_error("cmark-gfm has no tables");
  cmark_parser_attach_syntax_extension(parser.get(), table);
  cmark_parser_feed(parser.get(), markdown.data(), markdown.size());
  return Owned<cmark_node>(cmark_parser_finish(parser.get()));
}

std::vector<cmark_node*> links_and_images(cmark_node* document) {
  std::vector<cmark_node*> found;
  const Owned<cmark_iter> iterator(cmark_iter_new(document));
  for (cmark_event_type event = cmark_iter_next(iterator.get()); event != CMARK_EVENT_DONE;
       event = cmark_iter_next(iterator.get())) {
    cmark_node* const node = cmark_iter_get_node(iterator.get());
    const cmark_node_type type = cmark_node_get_type(node);
    if (event == CMARK_EVENT_ENTER && (type == CMARK_NODE_LINK || type == CMARK_NODE_IMAGE)) found.push_back(node);
  }
  return found;
}

/// The image inside a URL.
std::string image_url(std::string_view svg) {
  std::string url = "data:image/svg+xml,";
  for (const char one : svg) {
    const bool plain = (one >= '0' && one <= '9') || (one >= 'A' && one <= 'Z') || (one >= 'a' && one <= 'z');
    url += plain ? std::string(1, one) : fmt::format("%{:02X}", static_cast<unsigned char>(one));
  }
  return url;
}

/// Where a link or an image leads in HTML; nothing: nowhere.
std::optional<std::string> place_of(std::string_view link, std::span<const PageFile> files) {
  if (link.find("://") != std::string_view::npos) return std::string(link);
  const auto file = std::ranges::find(files, link, &PageFile::name);
  if (file == files.end()) return std::nullopt;
  if (link.ends_with(".svg")) return image_url(file->text);
  if (link.ends_with(".md")) return fmt::format("{}html", link.substr(0, link.size() - 2));
  return std::nullopt;
}

/// Replaces a link by its text.
void remove_link(cmark_node* link) {
  while (cmark_node* const child = cmark_node_first_child(link)) cmark_node_insert_before(link, child);
  const Owned<cmark_node> removed(link);  // which unlinks it
}

}  // namespace

PageFile html_page(const PageFile& page, std::span<const PageFile> files) {
  const Owned<cmark_node> document = parsed(page.text);
  for (cmark_node* const node : links_and_images(document.get())) {
    if (const auto place = place_of(cmark_node_get_url(node), files)) {
      cmark_node_set_url(node, place->c_str());
    } else {
      remove_link(node);
    }
  }
  // The pages are our own: HTML in them may stay, and images may be in URLs.
  const Owned<char> body(cmark_render_html(document.get(), CMARK_OPT_UNSAFE, nullptr));
  const std::string block = page.name.substr(0, page.name.rfind('.'));
  return {block + ".html", fmt::format("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                                       "<meta name=\"generator\" content=\"reconverge\">\n"
                                       "<meta name=\"viewport\" content=\"width=device-width\">\n"
                                       "<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
                                       escaped(block), style, body.get())};
}

std::vector<PageFile> html_pages(std::span<const PageFile> files) {
  std::vector<PageFile> pages;
  for (const PageFile& file : files) {
    if (file.name.ends_with(".md")) pages.push_back(html_page(file, files));
  }
  return pages;
}

}  // namespace reconverge::specification
