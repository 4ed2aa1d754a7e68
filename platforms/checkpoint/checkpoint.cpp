// SPDX-License-Identifier: Apache-2.0
#include "platforms/checkpoint/checkpoint.hpp"

#include <fmt/format.h>

#include <boost/json/parse.hpp>

#include "models/core/error.hpp"
#include "models/core/state_archive.hpp"
#include "platforms/checkpoint/launch_record.hpp"

namespace reconverge {

namespace {

using launch::LaunchResult;

/// The parts in which two descriptions of runs differ, for a message.
std::string differences(std::string_view stored, std::string_view now) {
  const boost::json::object one = boost::json::parse(stored).as_object();
  const boost::json::object other = boost::json::parse(now).as_object();
  std::string names;
  for (const auto& [key, value] : other) {
    if (one.contains(key) && one.at(key) == value) continue;
    names += fmt::format("{}{}", names.empty() ? "" : ", ", std::string_view(key));
  }
  return names;
}

}  // namespace

Checkpoint::Checkpoint(CheckpointOptions options, Run run) : options_(std::move(options)), run_(std::move(run)) {
  if (!options_.from.empty()) open_earlier();
  if (options_.to.empty()) return;
  std::error_code none;
  continues_ = reader_ && std::filesystem::equivalent(options_.from, options_.to, none);
  if (!continues_) report::check_place(options_.to, checkpoint_kind, run_.force);
}

void Checkpoint::open_earlier() {
  reader_ = std::make_unique<CheckpointReader>(options_.from);
  const auto& records = reader_->records();
  const auto refuse = [this](std::string_view message, std::string_view hint) {
    throw InputError({options_.from}, message, hint);
  };
  if (records.empty() || records.front().kind != CheckpointRecord::run) refuse("it is empty", "run without --from");
  if (const std::string stored = reader_->read(records.front()); stored != run_.identity) {
    refuse(fmt::format("the checkpoint is of another run; these differ: {}", differences(stored, run_.identity)),
           "continue with the same program, experiment, --set and files, or run without --from");
  }
  for (std::size_t i = records.size(); i > 0 && kept_ == 0; --i) {
    if (records[i - 1].kind == CheckpointRecord::state) kept_ = i;
  }
  if (kept_ == 0) refuse("the run ended before its first checkpoint", "run without --from");
  for (std::size_t i = 0; i < kept_; ++i) restored_ += records[i].kind == CheckpointRecord::launch ? 1 : 0;
  next_ = 1;
}

CheckpointWriter& Checkpoint::writer() {
  if (writer_) return *writer_;
  if (continues_) return writer_.emplace(options_.to, reader_->records()[kept_ - 1].end());
  writer_.emplace(options_.to);
  writer_->append(CheckpointRecord::run, run_.identity);
  for (std::size_t i = 1; i < kept_; ++i) {
    const CheckpointReader::Place& record = reader_->records()[i];
    writer_->append(record.kind, reader_->read(record));
  }
  return *writer_;
}

LaunchResult Checkpoint::run(launch::Session& session, const Launch& launch, const KeepGoing& keep_going) {
  return launch_++ < restored_ ? restore(session, launch) : run_and_store(session, launch, keep_going);
}

LaunchResult Checkpoint::restore(launch::Session& session, const Launch& launch) {
  const auto& records = reader_->records();
  LaunchResult result = restore_launch(session, launch, reader_->read(records[next_++]));
  restored_cycles_ += result.cycles();
  if (run_.most_cycles != 0 && restored_cycles_ > run_.most_cycles) {
    throw InputError(
        {options_.from},
        fmt::format("the restored launches have more than {} cycles, where this run would end", run_.most_cycles),
        "raise --max-cycles, or run without --from");
  }
  if (next_ < kept_ && records[next_].kind == CheckpointRecord::state) {
    if (launch_ == restored_) {
      StateArchive state(reader_->read(records[next_]));
      session.device().archive(state);
      if (!state.at_end()) throw InputError({options_.from}, "the stored state is of another machine");
    }
    ++next_;
  }
  return result;
}

LaunchResult Checkpoint::run_and_store(launch::Session& session, const Launch& launch, const KeepGoing& keep_going) {
  if (options_.to.empty()) return session.run(launch, keep_going);
  if (StateArchive state; launch_ == 1 && !session.device().archive(state)) {
    throw InputError({"--checkpoint"}, fmt::format("the machine {} cannot be stored", session.kind().name),
                     "leave the option out");
  }
  const PageDigests before(session.memory().used());
  LaunchResult result = session.run(launch, keep_going);
  if (!result.completed) return result;
  writer().append(CheckpointRecord::launch, record_of(session, launch, result, before));
  if (launch_ % options_.every == 0) {
    StateArchive state;
    session.device().archive(state);
    writer().append(CheckpointRecord::state, state.bytes());
  }
  return result;
}

}  // namespace reconverge
