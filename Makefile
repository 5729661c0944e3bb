# make run      installs what is missing, builds, starts todostream
# make test     likewise, and runs every test
# make build    leaves the release binary at .build/release/todostream, by `swift package release`
# make lint     checks the layout of every source, and prints how large each room is
# make docs     leaves both manuals, as pages for a web server, in .build/docs
# make tutorial follows the manual from a copied template to a tested release
# make fuzz     runs each fuzzer for FUZZ_SECONDS=60
# make sanitize runs the tests under the sanitizers of threads and addresses; TESTS= names some
# make shake    runs all tests N=20 times, each disturbed by chance: SEED=n
# make nightly  runs everything that takes hours
# make bench    prints the benchmarks of the stream, the application and the REPL; fails over a limit
# make crash    kills the program, cuts its power, fails and fills its disk; CRASH=long for much more
# make install  PREFIX=/usr/local; install-editors for what Vim, Neovim and Emacs find there alone
# make dist     packs what is installed: an archive and a Debian package, in .build/dist

SHELL := /bin/bash
PREFIX ?= /usr/local
export FUZZ_SECONDS ?= 60
SOURCES := Package.swift Sources Tests Plugins Frontends Benchmarks Examples
# Where the plugin of `swift package release` leaves programs without their symbols.
RELEASED := .build/plugins/Release/outputs
SWIFT := swift
# On macOS the tools of the toolchain are found through xcrun.
ifeq ($(shell uname -s),Darwin)
DEVELOPER := xcrun
SDK = -sdk "$$(xcrun --show-sdk-path)"
endif
CHECKS := --explicit-target-dependency-import-check error
# What is built to be tested once is neither indexed for editors nor stepped through.
ifdef CI
CHECKS += -Xswiftc -index-ignore-system-modules -debug-info-format none
ifeq ($(shell uname -s),Linux)
CHECKS += -Xswiftc -use-ld=lld
endif
endif

# The examples are a package of their own, which sees products alone. In the same build folder nothing is compiled twice.
OUTSIDE := --package-path Examples --scratch-path .build
# What the inspector is built with, and the browser that its tests use.
INSPECTED := libpcre2-dev chromium chromium-driver
# So is the inspector, which alone depends on an HTTP server.
INSPECTOR := --package-path Frontends/Inspector --scratch-path .build
# A build takes up the plan that lies there, also that of another package: so none is left between two.
FORGET_PLAN := rm -f .build/*/*/description.json

.PHONY: run build test lint rows docs tutorial fuzz sanitize sanitize-thread sanitize-address built-for-thread built-for-address shake nightly \
  bench crash install install-editors install-inspector dist clean needs-linux system-packages
VERSION := $(shell sed -n 's/^ *version: "\(.*\)",$$/\1/p' Sources/Todo/todostream/Todos.swift)

# Standard input is the user's: nothing before the last line may read it.
run: build
	@.build/release/todostream

# How a release is linked, Sources/Support/Release knows.
build: system-packages
	@$(SWIFT) package release --no-icu --product todostream </dev/null >&2

# What is tested as a program is the release that people get; with its preconditions checked, `make nightly` has it.
TESTED := .build/tested
test: system-packages lint build
	@./.ci/system-packages python3 python3-dateutil zsh fish tmux curl vim-nox neovim emacs-nox lua-check $(INSPECTED) </dev/null >&2
	$(SWIFT) build --build-tests $(CHECKS)
	@$(FORGET_PLAN)
	$(SWIFT) build --build-tests $(CHECKS) $(OUTSIDE)
	@$(FORGET_PLAN)
	$(SWIFT) build --build-tests $(CHECKS) $(INSPECTOR)
	@$(FORGET_PLAN)
	$(SWIFT) build $(CHECKS) --package-path Benchmarks --scratch-path .build
	@$(FORGET_PLAN)
	@mkdir -p $(TESTED) && ln -f .build/release/todostream $(TESTED) && ln -sf ../debug/Demo $(TESTED)/Demo
	@TODOSTREAM_PROGRAMS="$(CURDIR)/$(TESTED)" Tests/Scripts/all

lint:
	$(SWIFT) format lint --strict -r -p $(SOURCES)
	@Tests/Scripts/sizes --check

# The symbols come from the modules that the tests are built from, so that nothing is compiled twice. What types
# have from protocols of the standard library stays out: half as many pages again, without a word of ours.
DOCUMENTED := $(filter-out Platform Release Seams todostream,$(notdir $(wildcard Sources/*/* Plugins/* Frontends/*)))
# They are loaded with all that they import, down to the modules in C.
C_MODULES = "$$built"/CSupervisor.build "$$built"/CSQLite.build "$$built"/CEditLine.build \
  .build/checkouts/GRDB.swift/Sources/GRDBSQLite
# A manual: its catalogue, its symbols if it has any, and where it goes.
MANUAL = $(DEVELOPER) docc convert $(1) $(2) --output-path .build/archives/$(notdir $(basename $(1))).doccarchive \
  --fallback-display-name $(notdir $(basename $(1))) --fallback-bundle-identifier $(notdir $(basename $(1))) \
  --warnings-as-errors
docs: system-packages
	@./.ci/system-packages python3 </dev/null >&2
	$(SWIFT) build --target todostream $(CHECKS)
	$(SWIFT) build --target EventRecordsTesting $(CHECKS)
	$(SWIFT) build --target ProcessTesting $(CHECKS)
	rm -rf .build/symbols .build/archives .build/docs && mkdir -p .build/symbols .build/archives
	@built="$$($(SWIFT) build --show-bin-path)" && \
	target="$$($(SWIFT) -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -n 1)" && \
	for module in $(DOCUMENTED); do \
	  $(DEVELOPER) swift symbolgraph-extract -module-name $$module -I "$$built/Modules" \
	    $(C_MODULES:%=-I %) -target "$$target" \
	    $(SDK) -skip-synthesized-members -output-dir .build/symbols || exit; \
	done
	$(call MANUAL,Sources/Toolkit/EventMVVM/EventMVVM.docc,--additional-symbol-graph-dir .build/symbols)
	$(call MANUAL,Sources/Todo/todostream/todostream.docc)
	@Tests/Scripts/documented .build/symbols .build/archives/EventMVVM.doccarchive
	$(DEVELOPER) docc merge .build/archives/*.doccarchive --output-path .build/docs \
	  --synthesized-landing-page-name todostream
	@echo "Read them:  python3 -m http.server -d .build/docs"
	@echo "  the toolkit       http://localhost:8000/documentation/eventmvvm"
	@echo "  the todo manager  http://localhost:8000/documentation/todostream"

# The steps of the manual, from outside, built beside the tests.
tutorial: system-packages
	BUILD_FLAGS="$(CHECKS)" Tests/Scripts/tutorial

# The numbered requirements, each with the tests that bear its number.
rows:
	@Tests/Scripts/rows

fuzz: system-packages
	@Tests/Programs/Fuzz/run $(FUZZERS)

# A test that has raced still says that it passed: what counts is how the process ends. Under the
# sanitizer of addresses a frame is several times as large, so the test of a small stack is left out.
sanitize: sanitize-thread sanitize-address

sanitize-thread sanitize-address built-for-thread built-for-address: export ONLY_TESTS := $(TESTS)
built-for-thread built-for-address: built-for-%: system-packages
	$(SWIFT) build --build-tests --sanitize=$* --scratch-path .build/$*

sanitize-thread sanitize-address: sanitize-%: built-for-%
	ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --skip-build --sanitize=$* --scratch-path .build/$* \
	  $(if $(filter address,$*),--skip '512 levels fit a stack')
	@rm -f .build/$*/*/*/description.json
	[ -n "$(TESTS)" ] || ASAN_OPTIONS=detect_leaks=0 $(SWIFT) test --sanitize=$* --package-path Examples --scratch-path .build/$*

# Delays drawn from a seed wherever threads, processes and files meet; a load beside it, and one core at times.
shake: system-packages
	@./.ci/system-packages python3 python3-dateutil zsh fish tmux curl vim-nox neovim emacs-nox lua-check $(INSPECTED) </dev/null >&2
	$(SWIFT) build --build-tests $(CHECKS)
	@$(FORGET_PLAN)
	$(SWIFT) build --build-tests $(CHECKS) $(OUTSIDE)
	@$(FORGET_PLAN)
	@Tests/Scripts/shake $(or $(N),20) $(SEED)

# What takes long and seldom finds anything, with the reason beside each.
nightly:
	$(MAKE) test
	$(MAKE) fuzz FUZZ_SECONDS=3600     # `make test` has the seeds, and some thousand inputs like them
	$(MAKE) sanitize                   # CI has the stream, the patterns, the peer and the stores under that of threads
	NIGHTLY=1 $(SWIFT) test --skip-build $(CHECKS) --filter RecordedTranscriptTests   # CI has ten of them
	$(MAKE) crash CRASH=long           # `make test` has each kind briefly
	LINEARIZABILITY_SEEDS=500 LINEARIZABILITY_SEED=$$(date +%s) \
	  $(SWIFT) test --skip-build $(CHECKS) --filter LinearizabilityTests   # `make test` has twenty, always the same
	REQUEST_SECONDS=600 REQUEST_SEED=$$(date +%s) \
	  $(SWIFT) test --skip-build $(CHECKS) --filter RandomRequestTests   # `make test` has a thousand, always the same
	OUTAGE_WRITERS=32 OUTAGE_SECONDS=120 OUTAGE_SEED=$$(date +%s) \
	  $(SWIFT) test --skip-build $(CHECKS) --filter PostgresOutageTests   # `make test` has eight writers, for some seconds
	QUERY_ROUNDS=1000000 QUERY_SEED=$$(date +%s) \
	  $(SWIFT) test --skip-build $(CHECKS) --filter EngineContractTests   # `make test` has five thousand, always the same
	LIVE_ROUNDS=1000000 $(SWIFT) test --skip-build $(CHECKS) --filter LiveTests   # `make test` has two thousand changes
	FACES_ROUNDS=3000 $(SWIFT) test --skip-build $(CHECKS) --filter ManyFacesTests   # `make test` has twenty
	$(MAKE) dist && Tests/Scripts/package .build/dist/*.deb   # a release build, and a system of its own
	CART_KILLS=600 $(SWIFT) test --skip-build $(OUTSIDE) --filter KilledCartTests
	TODOSTREAM_LOAD=4 $(SWIFT) test --skip-build $(CHECKS) \
	  --filter '^(TranscriptTests|ProcessTests|REPLTests|JSONRPCTests)\.'   # with preconditions checked; four times as many processes
	NIGHTLY=1 TODOSTREAM_PROGRAMS="$(CURDIR)/$(TESTED)" \
	  $(SWIFT) test --skip-build $(CHECKS) --filter GrowthTests   # `make test` has messages of up to 100 kB
	$(MAKE) docs rows tutorial         # CI has them, too
	$(MAKE) bench
	$(MAKE) install install-inspector PREFIX=.build/nightly
	$(MAKE) shake                      # hours

bench: build
	@./.ci/system-packages time valgrind python3 </dev/null >&2
	cd Benchmarks && $(SWIFT) run -c release Benchmarks $(BENCH)
	@Benchmarks/application.sh "$(CURDIR)/.build/release/todostream"
	@$(FORGET_PLAN)
	$(SWIFT) package $(OUTSIDE) release --no-icu --product notes --product labjournal
	@$(FORGET_PLAN)
	@Benchmarks/records.sh .build/release/notes .build/release/labjournal "$(CURDIR)/.build/release/todostream"
	@./.ci/system-packages postgresql </dev/null >&2
	@Benchmarks/postgres.sh "$(CURDIR)/.build/release/todostream"
	@Benchmarks/terminal.py "$(CURDIR)/.build/release/todostream"
	@./.ci/system-packages $(INSPECTED) </dev/null >&2
	$(SWIFT) package $(INSPECTOR) release --no-icu --product todostream-inspector
	@$(FORGET_PLAN)
	@Benchmarks/inspector.py .build/release/todostream $(RELEASED)/todostream-inspector chromedriver
	cd Benchmarks && $(SWIFT) run -c release ServerBenchmark "$(CURDIR)/.build/release/todostream"

# What `make test` does briefly with the debug build, at length and with the release build; then a test may take more
# than the ten minutes that are the limit else.
crash: needs-linux build
	EVENTMVVM_PATIENCE=$(if $(filter long,$(CRASH)),5,1) CRASH=$(CRASH) \
	  CRASH_PROGRAM="$(CURDIR)/.build/release/todostream" $(SWIFT) test --filter CrashTests

needs-linux:
	@[ "$$(uname -s)" = Linux ] || { echo "make crash needs Linux: only there can it stand between the program and its files." >&2; exit 1; }

# A relative PREFIX is one from here, wherever a recipe goes; blanks in it are part of it.
ROOT = $(if $(filter /%,$(firstword $(DESTDIR)$(PREFIX))),,$(CURDIR)/)$(DESTDIR)$(PREFIX)
COMPLETIONS = $(ROOT)/share
# The symbols stay with the program in the build folder.
install: build install-editors
	install -d "$(ROOT)/bin"
	install -m 755 $(RELEASED)/todostream "$(ROOT)/bin/todostream"
	install -d "$(ROOT)/share/man/man1"
	sed 's/@VERSION@/$(VERSION)/' Sources/Todo/todostream/todostream.1 >"$(ROOT)/share/man/man1/todostream.1"
	chmod 644 "$(ROOT)/share/man/man1/todostream.1"
	install -d "$(COMPLETIONS)/bash-completion/completions" "$(COMPLETIONS)/zsh/site-functions" \
	  "$(COMPLETIONS)/fish/vendor_completions.d"
	.build/release/todostream completions bash >"$(COMPLETIONS)/bash-completion/completions/todostream"
	.build/release/todostream completions zsh >"$(COMPLETIONS)/zsh/site-functions/_todostream"
	.build/release/todostream completions fish >"$(COMPLETIONS)/fish/vendor_completions.d/todostream.fish"

# The page of `--inspect` and `inspect`, by a program beside the other one.
install-inspector:
	@./.ci/system-packages $(INSPECTED:chromium%=) </dev/null >&2
	$(SWIFT) package $(INSPECTOR) release --no-icu --product todostream-inspector
	@$(FORGET_PLAN)
	install -d "$(ROOT)/bin"
	install -m 755 $(RELEASED)/todostream-inspector "$(ROOT)/bin/todostream-inspector"

# Where each editor looks: vim and nvim for packages, emacs for libraries. An emacs that is there compiles.
SHARE = $(ROOT)/share
install-editors:
	@put() { install -d "$$2/$$(dirname "$$1")" && install -m 644 "$$1" "$$2/$$1"; }; \
	for editor in vim:vim/vimfiles neovim:nvim/site; do \
	  target="$(SHARE)/$${editor#*:}/pack/todostream/start/todostream"; \
	  cd "$(CURDIR)/Editors/$${editor%:*}" 2>/dev/null || continue; \
	  echo "$$target"; \
	  for file in $$(find . -type f -name '*.vim' -o -type f -name '*.lua' -o -type f -path './doc/*'); do \
	    put "$${file#./}" "$$target" || exit; \
	  done; \
	done; \
	target="$(SHARE)/emacs/site-lisp"; \
	cd "$(CURDIR)/Editors/emacs" 2>/dev/null || exit 0; \
	echo "$$target" && put todostream.el "$$target" || exit; \
	if [ -z "$(PACKING)" ] && command -v emacs >/dev/null; then \
	  emacs -Q --batch -f batch-byte-compile "$$target/todostream.el"; \
	fi

# What an Emacs of here has compiled is nothing for another one.
dist: build
	@rm -rf .build/dist
	@$(MAKE) --no-print-directory install DESTDIR="$(CURDIR)/.build/dist/root" PREFIX=/usr PACKING=yes >/dev/null
	@.ci/dist "$(VERSION)" "$(CURDIR)/.build/dist"

clean:
	rm -rf .build Benchmarks/.build

system-packages:
	@./.ci/system-packages </dev/null >&2
