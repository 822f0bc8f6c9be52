# `make help` lists what can be made. Swift 6.3 must be there; everything else comes from Debian's packages.

SHELL := /bin/bash
PREFIX ?= /usr/local
DESTDIR ?=
DEMO_BROWSER ?=

PROGRAMS := mojoauth-helper mojoauth-credential mojoauth-sandbox
# The names under which callers run mojoauth-helper.
HELPER_LINKS := git-credential-mojoauth docker-credential-mojoauth cargo-credential-mojoauth \
	bazel-credential-mojoauth terraform-credentials-mojoauth
# Where the shells look for the completions of installed programs, below share.
ZSH_FUNCTIONS ?= zsh/site-functions
COMPLETIONS = bash:bash-completion/completions/mojoauth-credential zsh:$(ZSH_FUNCTIONS)/_mojoauth-credential \
	fish:fish/vendor_completions.d/mojoauth-credential.fish
MANUALS := $(wildcard man/*.[1-9])
# For the systemd of a person's session; nothing turns them on but `mojoauth-credential configure background on`.
UNITS := $(wildcard packaging/systemd/*)
# Test targets that need a bus, a keyring or a server; `make unit` leaves them out.
SERVICE_TESTS := IntegrationTests KeyringTests PeerTests ProviderTests TortureTests

# Group, package, a command that will do instead of the package (or -), and the reason.
define PACKAGES
build  pkg-config           pkg-config       finds the libraries that follow
build  libstdc++-12-dev     -                linked into the programs, so that no C++ library need be installed beside them
build  libglib2.0-dev       -                the bus, configuration files, options, signals
build  libsecret-1-dev      -                the keyring
build  libsoup-3.0-dev      -                requests to the issuer, and the listener for its answer
build  libcjose-dev         -                signatures of ID tokens
build  libjansson-dev       -                strict JSON
build  libqrencode-dev      -                the picture of the device flow's address, for a phone to scan
build  libssl-dev           -                the key digests of cjose's libcrypto
demo   dbus-daemon          dbus-daemon      a private session bus
demo   dbus-bin             dbus-send        waits for the keyring's name on it
demo   gnome-keyring        gnome-keyring-daemon  the keyring itself
demo   git                  git              clones and pushes
test   libglib2.0-bin       gdbus            looks at the bus and waits for names on it
test   libsecret-tools      secret-tool      looks at the keyring as others do
test   apache2-bin          apache2          serves git, and stands before the registry (no service comes with it)
test   libapache2-mod-oauth2  -              verifies our tokens by the issuer's key set
test   valgrind             valgrind         looks for memory that a get loses
test   gcc                  gcc              builds a current git and the keyring helpers of others from their source
test   dpkg-dev             dpkg-source      unpacks that source
test   libcurl4-gnutls-dev  -                HTTP for that git
test   zlib1g-dev           -                packs for that git
test   git-credential-oauth git-credential-oauth  stands beside ours in git's list of helpers
test   golang-docker-credential-helpers  docker-credential-secretservice  keeps the items that ours must find
test   oidc-agent-cli       oidc-agent       refreshes a token beside ours in make bench
test   docker-registry      docker-registry  what docker and skopeo talk to
test   skopeo               skopeo           a client of docker-credential-mojoauth
test   podman               podman           another, of which login alone is run
test   buildah              buildah          a third, likewise
test   docker.io            docker           the docker command; its engine is never started
test   kubernetes-client    kubectl          asks a cluster's server with our token
test   cargo-web            cargo            fetches a crate with it
test   chromium             chromium         goes through the login page by typing and clicking
test   chromium-driver      chromedriver     drives Chromium
test   glewlwyd             glewlwyd         an OpenID provider that is not ours, to sign in at
test   dbconfig-no-thanks   dbconfig-generate-include  keeps glewlwyd from setting up a database of this machine's
test   sqlite3              sqlite3          makes glewlwyd's database
test   openssl              openssl          makes glewlwyd's keys
test   keepassxc            keepassxc        another Secret Service, whose items are changed in place
test   python3-venv         -                holds canaille, the other provider, which comes from PyPI
test   zbar-tools           zbarimg          reads that picture
test   zsh                  zsh              completes a command line
test   fish                 fish             completes another
test   curl                 curl             requests of the tests themselves
test   llvm                 llvm-symbolizer  names what the sanitizers point at
test   python3              python3          plays the person who answers keyring prompts
test   python3-dbus         -                plays a keyring that is not GNOME's
test   python3-gi           -                its main loop
test   python3-seccomp      -                does with a unit's filter what systemd would
test   binutils             readelf          shows what a program is linked to
test   valgrind             valgrind         counts the instructions of a get
test   dbus-bin             dbus-monitor     tells what crosses the bus
test   systemd              systemd-analyze  checks the units
test   python3-gi           -                plays the desktop that shows notifications
test   mandoc               mandoc           checks the manual pages
test   groff                groff            checks them again
package  dpkg-dev           dpkg-shlibdeps   finds out which packages the programs need
package  lintian            lintian          looks the package over
package  debootstrap        debootstrap      makes the fresh system that `make deb-check` installs it in
endef
export PACKAGES

# What a package asks while it is installed, in debconf's words. glewlwyd's own answer would be a server on this machine.
define ANSWERS
glewlwyd glewlwyd/config_type select No configuration
endef
export ANSWERS

# A fresh clone builds alike everywhere: a person's own flags for Swift are not asked for.
SWIFT := swift
BUILD := .build/release
# libstdc++ and libgcc go into the programs: half a millisecond at each start, and nothing to install beside them.
STATIC_LIBS := .build/static-libs
RELEASE_FLAGS = -c release --static-swift-stdlib --disable-local-rpath -Xlinker -L$(CURDIR)/$(STATIC_LIBS) \
	-Xswiftc -Xclang-linker -Xswiftc -static-libgcc $(LINK_FLAGS)
# Fewer pages to touch at each start: relocations packed (for glibc 2.36 and newer), no table of symbols that nobody
# looks up, and side by side what runs.
LINK_FLAGS = -Xswiftc -use-ld=lld $(addprefix -Xlinker ,-z pack-relative-relocs --no-export-dynamic \
	--symbol-ordering-file=$(CURDIR)/packaging/link-order --no-warn-symbol-ordering)
# A crash must end a program; the backtracer would keep it, and its open pipes, for minutes.
export SWIFT_BACKTRACE := enable=no
export PKG_CONFIG_PATH := $(CURDIR)/.build/pkgconfig$(if $(PKG_CONFIG_PATH),:$(PKG_CONFIG_PATH))

# A run of its own, in a process of its own: tests that wait for servers would keep the threads of those with a limit.
# Suites that look at how child processes end have a process to themselves: the runner waits for any child, and a
# browser that another suite started and does not wait for would keep it busy.
EXIT_TESTS := ProgramTests SessionStoreTests
UNIT_TESTS = $(SWIFT) test $(1) --disable-xctest $(addprefix --filter ,$(addsuffix \\.,$(EXIT_TESTS))) && \
	$(SWIFT) test $(1) --disable-xctest --skip-build \
		$(addprefix --skip ,$(addsuffix \\.,$(EXIT_TESTS) $(SERVICE_TESTS)))

.PHONY: help deps deps-build deps-demo deps-test deps-package prepare build unit sanitize conformance test clients torture fuzz \
	demo bench link-order lint install uninstall deb deb-check clean

help: ## list these targets
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(firstword $(MAKEFILE_LIST)) | expand -t 12

deps: ## install what is missing for everything below (apt; sudo only when not root)
	@$(call install_packages,build demo test)

deps-build: ## install what `make build` needs
	@$(call install_packages,build)

deps-demo: ## install what `make demo` needs
	@$(call install_packages,build demo)

deps-test: ## install what `make test` and `make lint` need
	@$(call install_packages,build demo test)

deps-package: ## install what `make deb` and `make deb-check` need
	@$(call install_packages,build package)

# policy-rc.d keeps packages that bring a service from starting it; one that is there already is left alone.
define install_packages
missing=; \
while read -r group package command reason; do \
	case " $(1) " in *" $$group "*) ;; *) continue;; esac; \
	if [ "$$command" != - ] && PATH="$$PATH:/usr/sbin" command -v "$$command" >/dev/null; then continue; fi; \
	case "$$(dpkg-query -W -f='$${db:Status-Status}' "$$package" 2>/dev/null)" in installed) continue;; esac; \
	printf 'deps: %-22s %s\n' "$$package" "$$reason"; missing="$$missing $$package"; \
done <<<"$$PACKAGES"; \
command -v $(SWIFT) >/dev/null || { echo 'deps: error: Swift 6.3 is missing: see https://www.swift.org/install' >&2; exit 1; }; \
case " $(1) " in *" test "*) command -v terraform >/dev/null || echo 'deps: terraform is missing, and no package brings it: make test fails without it' >&2;; esac; \
[ -n "$$missing" ] || { echo 'deps: nothing is missing'; exit 0; }; \
sudo=; [ "$$(id -u)" = 0 ] || sudo=sudo; \
policy=/usr/sbin/policy-rc.d; \
if [ ! -e $$policy ]; then \
	trap "$$sudo rm -f $$policy" EXIT; \
	printf '#!/bin/sh\nexit 101\n' | $$sudo tee $$policy >/dev/null; $$sudo chmod 755 $$policy; \
fi; \
apt="$$sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300"; \
for package in $$missing; do grep "^$$package " <<<"$$ANSWERS"; done | $$sudo debconf-set-selections && \
$$apt update </dev/null && $$apt install -y --no-install-recommends $$missing </dev/null
endef

# Two flags of GLib's that SwiftPM would only warn about are taken out of copies of the .pc files.
prepare:
	@mkdir -p $(STATIC_LIBS) .build/pkgconfig
	@clang="$$(dirname "$$(readlink -f "$$(command -v $(SWIFT))")")/clang"; \
	library="$$("$$clang" -print-file-name=libstdc++.a)"; \
	[ -f "$$library" ] || { echo 'build: error: libstdc++.a is missing: run make deps-build' >&2; exit 1; }; \
	ln -sfn "$$library" $(STATIC_LIBS)/libstdc++.a
	@for folder in $$(pkg-config --variable pc_path pkg-config | tr : ' '); do \
		for file in $$(grep -lsE -e '-pthread|-Wl,--export-dynamic' "$$folder"/*.pc); do \
			sed 's/-pthread//g; s/-Wl,--export-dynamic//g' "$$file" >".build/pkgconfig/$${file##*/}"; \
		done; \
	done

build: deps-build prepare ## build the programs (release, with the Swift runtime inside)
	@for program in $(PROGRAMS); do $(SWIFT) build $(RELEASE_FLAGS) --product "$$program" || exit 1; done

unit: deps-build prepare ## run the tests that need no service
	@$(call UNIT_TESTS)

# Each in a build of its own. Leaks are valgrind's to find, in the programs themselves: what GLib keeps for the life of a
# process would be all that is found here. The order in which Swift's runtime takes its locks is its own affair.
SANITIZERS := address thread
SYMBOLIZER = external_symbolizer_path=$$(command -v llvm-symbolizer)
sanitize: deps prepare ## run those tests under the address and the thread sanitizer
	@export SANITIZING=1 ASAN_OPTIONS="detect_leaks=0 $(SYMBOLIZER)"; \
	export TSAN_OPTIONS="detect_deadlocks=0 report_mutex_bugs=0 suppressions=$(CURDIR)/Tests/thread-sanitizer $(SYMBOLIZER)"; \
	$(foreach kind,$(SANITIZERS),$(call UNIT_TESTS,--sanitize=$(kind) --scratch-path .build/$(kind)) && ) \
	echo 'sanitize: nothing was found'

# Made once, and again when its list of packages changes. A half-made one is made anew.
CANAILLE := .build/canaille
$(CANAILLE)/ready: Tests/canaille.txt | deps
	@echo 'canaille: installing from PyPI'
	@rm -rf $(CANAILLE) && python3 -m venv $(CANAILLE)
	@$(CANAILLE)/bin/pip install --quiet --disable-pip-version-check --requirement $< && touch $@

# Clients of package registries that Debian has not, or has too old; and of pip one that still asks in the older way.
PACKAGE_CLIENTS := .build/package-clients
OLDER_PIP := pip==23.2.1
$(PACKAGE_CLIENTS)/ready: Tests/package-clients.txt | deps
	@echo 'package-clients: installing from PyPI'
	@rm -rf $(PACKAGE_CLIENTS) && python3 -m venv $(PACKAGE_CLIENTS)
	@$(PACKAGE_CLIENTS)/bin/pip install --quiet --disable-pip-version-check --requirement $<
	@python3 -m venv $(PACKAGE_CLIENTS)/older
	@$(PACKAGE_CLIENTS)/older/bin/pip install --quiet --disable-pip-version-check $(OLDER_PIP) && touch $@

# Built once; remove the folder for a newer one.
CURRENT_GIT := .build/current-git
$(CURRENT_GIT)/complete: | deps
	@Tests/Conformance/make-git $(CURRENT_GIT)

conformance: deps build $(CURRENT_GIT)/complete ## run git's own test cases for credential helpers on ours
	@Tests/Conformance/run $(CURRENT_GIT) $(BUILD)

# What the last torture found, a row for each fault; and each operation under each fault of the keyring.
TORTURE_TABLE := .build/torture
KEYRING_FAULTS := .build/keyring-faults.md

# Which clients PeerTests ran; the closing line of the test run stays the last one.
CLIENTS := .build/clients

test: deps build $(CANAILLE)/ready $(PACKAGE_CLIENTS)/ready $(CURRENT_GIT)/complete ## run all tests, on the release programs
	@$(call UNIT_TESTS)
	@rm -f $(CLIENTS) $(TORTURE_TABLE) $(KEYRING_FAULTS)
	@MOJOAUTH_BIN="$(CURDIR)/$(BUILD)" $(SWIFT) test --disable-xctest --skip-build \
		$(addprefix --filter ,$(addsuffix \\.,$(SERVICE_TESTS)))
	@Tests/clients $(CLIENTS) README.md

clients: ## compare README's list of clients, versions too, with what the last test run ran
	@Tests/clients $(CLIENTS) README.md --versions

# The table is printed whatever the suites said, and its failure is the exit code.
torture: deps build ## many processes, kills at random, attackers, keyring faults: the long form, and its table
	@rm -f $(TORTURE_TABLE) $(KEYRING_FAULTS)
	@$(SWIFT) build --build-tests
	@export TORTURE=full MOJOAUTH_BIN="$(CURDIR)/$(BUILD)"; failure=0; \
	for suite in 'TortureTests\.' 'IntegrationTests\.KeyringFaultTests'; do \
		$(SWIFT) test --disable-xctest --skip-build --filter "$$suite" || failure=$$?; \
	done; \
	cat $(TORTURE_TABLE) || failure=1; \
	exit $$failure

fuzz: deps prepare ## let libFuzzer feed every parser, SECONDS=20 each
	@Tests/Fuzzing/run $(or $(SECONDS),20)

demo: deps-demo build ## the whole story on a private bus and keyring (DEMO_BROWSER=firefox: in your browser)
	@$(BUILD)/mojoauth-sandbox demo --browser "$(DEMO_BROWSER)"

# BENCH_ROUNDS of each comparison; README=1 puts the figures and the picture where README.md shows them.
BENCH_ROUNDS ?= 120
README ?=
bench: deps build $(CURRENT_GIT)/complete ## time the helpers beside those of others (README=1: write README's figures)
	@Tests/Bench/bench.py $(BUILD) $(CURRENT_GIT) --rounds $(BENCH_ROUNDS) \
		$(if $(README),--readme README.md --plot packaging/screenshots/scale.svg)

link-order: deps build $(CURRENT_GIT)/complete ## write down anew which functions the linker lays side by side
	@Tests/Bench/link_order.py $(BUILD) $(CURRENT_GIT) packaging/link-order
	@rm -f $(addprefix $(BUILD)/,$(PROGRAMS)) # SwiftPM does not know that they depend on the list

lint: ## check format and manual pages
	$(SWIFT) format lint --strict -r Sources Tests Package.swift
	mandoc -T lint -W warning $(MANUALS)
	@complaints="$$(groff -mdoc -Tutf8 -ww -z $(MANUALS) 2>&1)"; \
	[ -z "$$complaints" ] || { printf '%s\n' "$$complaints" >&2; exit 1; }

install: ## install programs, links, manual pages, completions and units under DESTDIR and PREFIX; `make build` comes first
	@for program in $(PROGRAMS); do [ -x $(BUILD)/$$program ] || { echo 'install: error: run make build first' >&2; exit 1; }; done
	install -d $(DESTDIR)$(PREFIX)/bin
	install -m 755 $(addprefix $(BUILD)/,$(PROGRAMS)) $(DESTDIR)$(PREFIX)/bin
	for link in $(HELPER_LINKS); do ln -sfn mojoauth-helper $(DESTDIR)$(PREFIX)/bin/$$link; done
	for page in $(MANUALS); do install -D -m 644 $$page $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done
	for completion in $(COMPLETIONS); do file=$(DESTDIR)$(PREFIX)/share/$${completion#*:}; install -d "$${file%/*}" && \
		$(BUILD)/mojoauth-credential completion $${completion%%:*} >"$$file" && chmod 644 "$$file" || exit 1; done
	install -d $(DESTDIR)$(PREFIX)/lib/systemd/user
	for unit in $(UNITS); do sed 's|@bindir@|$(PREFIX)/bin|' $$unit >$(DESTDIR)$(PREFIX)/lib/systemd/user/$${unit##*/} && \
		chmod 644 $(DESTDIR)$(PREFIX)/lib/systemd/user/$${unit##*/} || exit 1; done

uninstall: ## remove what install put there
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/bin/,$(PROGRAMS) $(HELPER_LINKS))
	for page in $(MANUALS); do rm -f $(DESTDIR)$(PREFIX)/share/man/man$${page##*.}/$${page##*/}; done
	rm -f $(foreach completion,$(COMPLETIONS),$(DESTDIR)$(PREFIX)/share/$(lastword $(subst :, ,$(completion))))
	rm -f $(addprefix $(DESTDIR)$(PREFIX)/lib/systemd/user/,$(notdir $(UNITS)))

deb: deps-package build ## make a Debian package in .build/deb, and have lintian look at it
	@packaging/make-deb $(BUILD)

deb-check: deps-package ## install the package in a fresh Debian 12, run the demo there, remove it (as root)
	@packaging/check-deb

clean: ## remove everything that was built
	rm -rf .build
