// SPDX-License-Identifier: Apache-2.0
#include "platforms/reproduction/json_table.hpp"

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <fstream>
#include <sstream>

#include "platforms/report/format/json_place.hpp"

namespace reconverge::reproduction {

namespace {

sweep::Value value_of(const boost::json::value& value) {
  if (value.is_number()) return value.to_number<double>();
  if (value.is_string()) return std::string(value.as_string());
  if (value.is_bool()) return std::int64_t{value.as_bool() ? 1 : 0};
  return {};
}

}  // namespace

PublishedTable json_table(const std::string& name, const std::string& file, const std::string& list) {
  std::ifstream stream(file);
  if (!stream) throw InputError({file}, "the file cannot be read", "a page takes a table from it");
  std::ostringstream text;
  text << stream.rdbuf();
  const boost::json::value document = report::parse_json(text.str(), file);
  const report::JsonPlace top(document, file);
  const auto items = list.empty() ? top.items() : top.at(list).items();
  PublishedTable table{name, {}, {}};
  for (const report::JsonPlace& item : items)
    for (const auto& [key, value] : item.object())
      if (std::ranges::find(table.columns, std::string_view(key)) == table.columns.end())
        table.columns.emplace_back(key);
  for (const report::JsonPlace& item : items) {
    std::vector<sweep::Value>& row = table.rows.emplace_back();
    for (const std::string& column : table.columns) {
      const boost::json::value* value = item.object().if_contains(column);
      row.push_back(value == nullptr ? sweep::Value() : value_of(*value));
    }
  }
  return table;
}

}  // namespace reconverge::reproduction
