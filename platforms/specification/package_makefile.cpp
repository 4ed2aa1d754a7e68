// SPDX-License-Identifier: Apache-2.0
#include "platforms/specification/package_makefile.hpp"

#include <fmt/format.h>

namespace reconverge::specification {

std::string makefile(std::string_view block, const twin::GoldenVectors& vectors) {
  std::string settings;
  std::string overrides;
  for (const auto& [name, value] : vectors.parameters) {
    settings += fmt::format(" -set {} {}", name, value);
    overrides += fmt::format(" -G{}={}", name, value);
  }
  return fmt::format(R"make(# SPDX-License-Identifier: Apache-2.0
# make: everything that the installed tools can check. `make verilator icarus lint synthesis prove sby pdf` are the
# single steps.
# Loops over wide tables have more iterations than Verilator unrolls by default.
BLOCK = {0}
SOURCES = $(shell cat $(BLOCK).f)
UNROLL = --unroll-count 128 --unroll-stmts 100000

.PHONY: all verilator icarus lint synthesis prove sby pdf clean
all: lint verilator icarus synthesis

# The golden vectors on the sources, with the assertions.
verilator: build/verilator/Vreplay
	cd vectors && ../build/verilator/Vreplay | grep PASSED
build/verilator/Vreplay: $(SOURCES) vectors/replay.sv vectors/parameters.svh
	mkdir -p build
	verilator --binary --assert -DRECONVERGE_STATE_PORTS -MAKEFLAGS "OPT_FAST=-O0 OPT_GLOBAL=-O0" $(UNROLL) -Irtl/$(BLOCK) -Ivectors --Mdir build/verilator \
	  $(SOURCES) rtl/$(BLOCK)/assertions/$(BLOCK)_assertions.sv vectors/replay.sv --top-module replay

# The golden vectors on the netlist that yosys makes of the sources: Icarus 11 cannot read localparam in the head of a module.
icarus: build/replay
	cd vectors && ../build/replay | grep PASSED
build/replay: build/netlist.v vectors/replay.sv vectors/parameters.svh
	iverilog -g2012 -DNETLIST -Ivectors build/netlist.v vectors/replay.sv -o $@
build/netlist.v: $(SOURCES)
	mkdir -p build
	yosys -q -p "read_verilog -sv -Irtl/$(BLOCK) $(SOURCES); chparam{1} $(BLOCK); \
	  prep -flatten -top $(BLOCK); rename -top $(BLOCK); write_verilog $@"

# The default size, and the size of the vectors.
lint:
	verilator --lint-only -Wall $(UNROLL) -Irtl/$(BLOCK) $(SOURCES) --top-module $(BLOCK)
	verilator --lint-only -Wall $(UNROLL) -Irtl/$(BLOCK) $(SOURCES) --top-module $(BLOCK){2}

# Cells of a generic library; synthesis.ys shows where to name another one.
synthesis:
	mkdir -p build
	yosys -q -s synthesis.ys

# Induction with yosys and abc, at the sizes in rtl/$(BLOCK)/formal/proofs.sh.
prove:
	bash scripts/prove $(BLOCK)

# The proofs at their smallest sizes with SymbiYosys. Debian 12 has no package of it: https://github.com/YosysHQ/sby
sby: formal
	command -v sby >/dev/null || {{ echo "sby is not installed" >&2; exit 1; }}
	mkdir -p build/sby
	for proof in formal/*.sby; do sby -f --prefix build/sby/$$(basename $$proof .sby) $$proof || exit 1; done
formal:
	bash scripts/prove --sby formal $(BLOCK)

# The specification on paper.
pdf: $(BLOCK).pdf
$(BLOCK).pdf: $(BLOCK).html
	if command -v chromium >/dev/null; then \
	  chromium --headless --no-sandbox --disable-gpu --no-pdf-header-footer --print-to-pdf=$@ "file://$(CURDIR)/$<" \
	    2>$@.log || {{ cat $@.log >&2; exit 1; }}; \
	  rm $@.log; \
	elif command -v weasyprint >/dev/null; then \
	  weasyprint $< $@; \
	else \
	  echo "$@ needs one of these programs: apt-get install chromium, or apt-get install weasyprint" >&2; exit 1; \
	fi

clean:
	rm -rf build $(BLOCK).pdf $(BLOCK).pdf.log
)make",
                     block, settings, overrides);
}

}  // namespace reconverge::specification
