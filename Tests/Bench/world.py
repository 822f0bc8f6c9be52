"""A private bus, keyring, issuer and home, and the logins and items that the contenders read."""

import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import tempfile
import time

import dbus

SECRETS = "org.freedesktop.secrets"
ROOT = "/org/freedesktop/secrets"
SERVICE = "org.freedesktop.Secret.Service"
ITEM = "org.freedesktop.Secret.Item"
DEBIAN_SOURCE = "/usr/share/doc/git/contrib/credential/libsecret"


class World:
    def __init__(self, programs, git, here):
        self.programs, self.git, self.here = programs, git, here
        self.folder = tempfile.mkdtemp(prefix="bench-")
        self.processes = []
        self.agent = None
        home, run, binaries = (f"{self.folder}/{name}" for name in ["home", "run", "bin"])
        for folder in [home, run, binaries, f"{home}/oidc-agent"]:
            os.mkdir(folder, 0o700)
        for name in ["mojoauth-helper", "mojoauth-credential", "mojoauth-sandbox"]:
            os.symlink(f"{programs}/{name}", f"{binaries}/{name}")
        for name in ["git-credential-mojoauth", "docker-credential-mojoauth"]:
            os.symlink("mojoauth-helper", f"{binaries}/{name}")
        self.git_helper = [f"{binaries}/git-credential-mojoauth"]
        self.docker_helper = [f"{binaries}/docker-credential-mojoauth"]
        self.environment = {
            "HOME": home, "XDG_RUNTIME_DIR": run, "PATH": f"{binaries}:/usr/bin:/bin", "LANG": "C.UTF-8",
            "SWIFT_BACKTRACE": "enable=no",
            # Where oidc-agent's socket and settings go.
            "TMPDIR": self.folder, "OIDC_CONFIG_DIR": f"{home}/oidc-agent",
        }

    def __enter__(self):
        try:
            self.runner = self.compile("runner")
            self.floor = self.compile("floor", *shlex.split(self.call(
                "pkg-config", "--cflags", "--libs", "libsecret-1")))
            self.start_bus()
            self.issuer, self.issuer_process = self.start_issuer("issuer")
            self.endpoints = json.loads(self.call("curl", "-sSf", f"{self.issuer}/.well-known/openid-configuration"))
            self.configuration = f"{self.environment['HOME']}/.config/mojoauth-credential/config"
            self.sign_in("default", self.issuer)
            self.add_hosts("default", ["git.ours.example", "registry.ours.example"])
            self.token = self.call("mojoauth-credential", "get").strip()
            self.store_for_peers(self.token)
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for process in reversed(self.processes[:]):
            self.stop(process)
        self.stop_agent()
        shutil.rmtree(self.folder)

    def stop_agent(self):
        """It is no child of ours, so that nobody tells of its end; its socket lies in our folder."""
        limit = time.monotonic() + 10
        while self.agent and time.monotonic() < limit:
            try:
                os.kill(self.agent, signal.SIGTERM)
            except ProcessLookupError:
                return
            time.sleep(0.02)

    def stop(self, process):
        self.processes.remove(process)
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()

    # Programs

    def compile(self, name, *flags):
        program = f"{self.folder}/{name}"
        self.call("gcc", "-O2", "-o", program, f"{self.here}/{name}.c", *flags)
        return program

    def libsecret(self, which):
        """git-credential-libsecret of Debian's git, or of the current one."""
        if which == "current":
            return f"{self.git}/source/contrib/credential/libsecret/git-credential-libsecret"
        folder = f"{self.folder}/libsecret"
        if not os.path.exists(folder):
            shutil.copytree(DEBIAN_SOURCE, folder)
            self.call("make", "-C", folder)
        return f"{folder}/git-credential-libsecret"

    def call(self, *command, text=""):
        """Runs a program to its end and returns what it wrote; what it told people is shown only when it fails."""
        answer = subprocess.run(command, input=text, capture_output=True, text=True, env=self.environment, check=False)
        if answer.returncode:
            raise RuntimeError(f"{' '.join(command)}: exit {answer.returncode}\n{answer.stderr}")
        return answer.stdout

    def input(self, name, text):
        path = f"{self.folder}/input-{name}"
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def start(self, command, **options):
        process = subprocess.Popen(command, env=self.environment, **options)
        self.processes.append(process)
        return process

    # Servers

    def start_bus(self):
        bus = self.start(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True,
            stderr=subprocess.DEVNULL)
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = bus.stdout.readline().strip()
        self.bus = dbus.bus.BusConnection(self.environment["DBUS_SESSION_BUS_ADDRESS"])
        self.start_keyring()

    def start_keyring(self):
        self.keyring = self.start(
            ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets",
             f"--control-directory={self.folder}/keyring"],
            stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.keyring.stdin.write(b"bench")
        self.keyring.stdin.close()
        self.call("gdbus", "wait", "--session", "--timeout", "15", SECRETS)
        _, self.session = self.service().OpenSession("plain", dbus.String("", variant_level=1))

    def service(self):
        return dbus.Interface(self.bus.get_object(SECRETS, ROOT), SERVICE)

    def start_issuer(self, name, *options):
        """A sandbox that signs people in without a click. Returns its URL and its process."""
        ready = f"{self.folder}/{name}.json"
        process = self.start(
            ["mojoauth-sandbox", "serve", "--ready-file", ready, "--auto", "alice@example.com", "--no-rotation",
             "--access-lifetime", "86400", *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        limit = time.monotonic() + 15
        while not os.path.exists(ready):
            if process.poll() is not None or time.monotonic() > limit:
                raise RuntimeError("mojoauth-sandbox did not come up")
            time.sleep(0.01)
        with open(ready, encoding="utf-8") as file:
            return json.load(file)["issuer"], process

    def start_oidc_agent(self):
        """oidc-agent with our login in its memory, under the name of bench. Returns what names its socket to oidc-token."""
        # It leaves for the background by itself, and says where it is.
        told = self.call("oidc-agent", "--no-autoload", "--no-webserver", "--quiet")
        told = dict(re.findall(r"(\w+)=([^;]+);", told))
        self.agent = int(told["OIDCD_PID"])
        self.environment |= {
            "OIDC_SOCK": told["OIDC_SOCK"], "REFRESH_TOKEN": json.loads(self.state())["refresh_token"], "PASSWORD": "bench"}
        self.call(
            "oidc-gen", "--manual", f"--issuer={self.issuer}", "--client-id=mojoauth-cli", "--client-secret=", "--pub",
            "--no-save", "--flow=refresh", "--scope=openid offline_access", "--redirect-uri=http://localhost:4242",
            "--refresh-token-env=REFRESH_TOKEN", "--pw-env=PASSWORD", "bench", text="\n" * 10)
        del self.environment["REFRESH_TOKEN"], self.environment["PASSWORD"]
        return f"OIDC_SOCK={self.environment.pop('OIDC_SOCK')}"

    def sign_in(self, profile, issuer, browser="mojoauth-sandbox browse %s"):
        self.call(
            "mojoauth-credential", "configure", "profile", profile, "--issuer", issuer, "--client-id", "mojoauth-cli",
            "--browser", browser)
        self.call("mojoauth-credential", "login", "--profile", profile)

    def add_hosts(self, profile, hosts):
        with open(self.configuration, "a", encoding="utf-8") as file:
            for host in hosts:
                file.write(f"\n[host {host}]\nurl=https://{host}\nprofile={profile}\n")

    def plain_configuration(self):
        """A copy of the configuration with which helpers read without encryption."""
        copy = f"{self.folder}/plain"
        shutil.copyfile(self.configuration, copy)
        os.chmod(copy, 0o600)
        with open(copy, "a", encoding="utf-8") as file:
            file.write("\n[defaults]\nbus-session=plain\n")
        return copy

    # Items

    def store_for_peers(self, token):
        self.call(
            self.libsecret("debian"), "store",
            text=f"protocol=https\nhost=peer.example\nusername=u\npassword={token}\n\n")
        self.call(
            "docker-credential-secretservice", "store",
            text=json.dumps({"ServerURL": "https://registry.peer.example", "Username": "u", "Secret": token}))

    def items(self, **attributes):
        unlocked, _ = self.service().SearchItems(dbus.Dictionary(attributes, signature="ss"))
        return [dbus.Interface(self.bus.get_object(SECRETS, path), ITEM) for path in unlocked]

    def login_item(self, profile="default"):
        (item,) = self.items(application="mojoauth-credential", kind="auth-state", profile=profile)
        return item

    def state(self, profile="default"):
        """The stored login, as text."""
        return bytes(self.login_item(profile).GetSecret(self.session)[2]).decode()

    def set_state(self, text, profile="default"):
        self.login_item(profile).SetSecret(self.secret(text))

    def secret(self, text):
        return dbus.Struct(
            (self.session, dbus.ByteArray(b""), dbus.ByteArray(text.encode()), "text/plain"), signature="oayays")

    def fill_keyring(self, count):
        """So many items of other hosts, in keyrings beside ours. They are written as files that the daemon reads when it
        starts, a thousand items each: the more there are in a keyring, the longer it takes for one."""
        self.stop(self.keyring)
        for first in range(0, count, 1000):
            with open(
                    f"{self.environment['HOME']}/.local/share/keyrings/others{first}.keyring", "w",
                    encoding="utf-8") as file:
                file.write(keyring_text(f"others{first}", range(first, min(count, first + 1000))))
        self.start_keyring()
        paths = [f"{ROOT}/collection/others{first}" for first in range(0, count, 1000)]
        self.service().Unlock(dbus.Array(paths, signature="o"))
        for number in [0, count - 1]:
            if len(self.items(server=f"host-{number}.example")) != 1:
                raise RuntimeError("the daemon did not read the items")


def keyring_text(name, numbers):
    """A keyring file of the daemon's unencrypted form."""
    lines = ["[keyring]", f"display-name={name}", ""]
    for index, number in enumerate(numbers, start=1):
        lines += [f"[{index}]", "item-type=0", f"display-name=host {number}", "secret=password", ""]
        attributes = {
            "xdg:schema": "org.git.Password", "protocol": "https", "server": f"host-{number}.example", "user": "u"}
        for place, (key, value) in enumerate(attributes.items()):
            lines += [f"[{index}:attribute{place}]", f"name={key}", "type=string", f"value={value}", ""]
    return "\n".join(lines)
