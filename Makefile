# make run      installs what is missing, builds, starts todostream
# make test     likewise, and runs every test
# make build    leaves the release binary at .build/release/todostream
# make lint     checks the layout of every source
# make bench    prints the benchmarks of the stream and of a script
# make install  PREFIX=/usr/local

SHELL := /bin/bash
PREFIX ?= /usr/local
SOURCES := Package.swift Sources Tests Frontends Benchmarks
RELEASE := -c release --static-swift-stdlib
SWIFT := swift
CHECKS := --explicit-target-dependency-import-check error

.PHONY: run build test lint bench install clean system-packages

# Standard input is the user's: nothing before the last line may read it.
run: build
	@.build/release/todostream

build: system-packages
	@$(SWIFT) build $(RELEASE) --product todostream </dev/null >&2

test: system-packages lint
	$(SWIFT) build --build-tests $(CHECKS)
	$(SWIFT) test --skip-build

lint:
	$(SWIFT) format lint --strict -r -p $(SOURCES)

bench: build
	cd Benchmarks && $(SWIFT) run -c release Benchmarks $(BENCH)
	@Benchmarks/script.sh "$(CURDIR)/.build/release/todostream"

install: build
	install -d "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 .build/release/todostream "$(DESTDIR)$(PREFIX)/bin/todostream"
	install -d "$(DESTDIR)$(PREFIX)/share/man/man1"
	install -m 644 Sources/todostream/todostream.1 "$(DESTDIR)$(PREFIX)/share/man/man1/todostream.1"

clean:
	rm -rf .build Benchmarks/.build

system-packages:
	@./.ci/system-packages </dev/null >&2
