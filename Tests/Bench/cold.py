"""What is slow by nature: a refresh and a login, and how much of it is the issuer's."""

import json
import os
import statistics
import subprocess
import time

from tables import Contender, Table, quartiles, run

# The issuer signs the person in without a click: a browser that follows redirects, and notes when it is sent back.
BROWSER = """#!/usr/bin/python3
import os, sys, time, urllib.error, urllib.request

# As xdg-open does: whoever runs it may wait for its end before it listens.
if os.fork():
    os._exit(0)

class Stop(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None

opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), Stop)
url = sys.argv[1]
start = time.monotonic()
while True:
    if "code=" in url and "state=" in url:
        with open(NOTE, "w") as note:
            note.write(f"{start} {time.monotonic()}")
    try:
        opener.open(url).read()
        break
    except urllib.error.HTTPError as error:
        if error.code not in (301, 302, 303, 307, 308):
            raise
        url = error.headers["Location"]
"""


def cold_tables(world, rounds):
    yield refresh(world, rounds)
    yield login(world, rounds)
    yield ageing(world, rounds)


def refresh(world, rounds):
    """Ours, oidc-agent's, and the bare request by curl. Debian's git-credential-oauth has no refresh to compare with."""
    refresh_token = json.loads(world.state())["refresh_token"]
    form = world.input("form", f"grant_type=refresh_token&client_id=mojoauth-cli&refresh_token={refresh_token}")
    nothing = world.input("nothing", "")
    curl = ["curl", "-sSf", "--data", f"@{form}", world.endpoints["token_endpoint"]]
    kept = world.state()
    socket = world.start_oidc_agent()
    table = Table("refresh", rounds, [
        Contender("mojoauth-credential refresh", ["mojoauth-credential", "refresh"], nothing, least=1),
        Contender("oidc-token, its agent running", ["oidc-token", "--force-new", "bench"], nothing, least=20,
                  variable=socket),
        Contender("the request alone, by curl", curl, nothing, least=20),
    ], note="oidc-agent refreshes what it has in its memory; ours reads the login from the keyring and saves it there"
    ).measure(world)
    # What follows compares with the token that the peers have.
    world.set_state(kept)
    return table


def at_issuer(world):
    """git's description of the issuer as a host: git-credential-oauth looks for the endpoints there."""
    return f"protocol=http\nhost={world.issuer.removeprefix('http://')}\n"


def configure_oauth(world):
    for name, value in [
        ("oauthClientId", "mojoauth-cli"), ("oauthScopes", "openid offline_access"),
        ("oauthAuthURL", world.endpoints["authorization_endpoint"].removeprefix(world.issuer)),
        ("oauthTokenURL", world.endpoints["token_endpoint"].removeprefix(world.issuer)),
    ]:
        world.call("git", "config", "--global", f"credential.{world.issuer}.{name}", value)


def login(world, rounds):
    """From the start to the end, and from the redirect's arrival to the end."""
    note = f"{world.folder}/note"
    browser = f"{world.folder}/bin/xdg-open"
    with open(browser, "w", encoding="utf-8") as file:
        file.write(BROWSER.replace("NOTE", repr(note)))
    os.chmod(browser, 0o700)
    # git-credential-oauth tries this name first.
    os.symlink("xdg-open", f"{world.folder}/bin/open")
    world.call(
        "mojoauth-credential", "configure", "profile", "cold", "--issuer", world.issuer, "--client-id", "mojoauth-cli",
        "--browser", f"{browser} %s")
    configure_oauth(world)
    ours = ["mojoauth-credential", "login", "--profile", "cold"]
    theirs = ["git-credential-oauth", "get"]
    request = at_issuer(world) + "\n"
    times = {"ours": [], "theirs": [], "behind": [], "issuer": [], "added": []}
    for _ in range(rounds):
        times["ours"].append(timed(world, ours, ""))
        with open(note, encoding="utf-8") as file:
            arrived = float(file.read().split()[1])
        times["behind"].append(time.monotonic() - arrived)
        os.remove(note)
        times["theirs"].append(timed(world, theirs, request))
        times["issuer"].append(issuer_share(world))
        times["added"].append(times["behind"][-1] - times["issuer"][-1])
    table = Table("login", rounds, [], note=(
        "behind the redirect: code exchange, checks, saving; the issuer's part is the same requests made by curl"))
    for name, key in [
        ("mojoauth-credential login", "ours"), ("git-credential-oauth get", "theirs"),
        ("ours, behind the redirect", "behind"), ("of that the issuer's", "issuer"), ("of that our own", "added"),
    ]:
        # Parts of ours are no rivals: there is no ratio to tell.
        ratio = quartiles([mine / other for mine, other in zip(times["ours"], times[key])]) if key == "theirs" else None
        table.rows.append((name, statistics.median(times[key]), ratio, 0))
    return table


def timed(world, command, text):
    start = time.monotonic()
    subprocess.run(
        command, input=text, text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=world.environment,
        check=True)
    return time.monotonic() - start


def issuer_share(world):
    """The token request and the key set, as curl times them: seconds."""
    refresh_token = json.loads(world.state())["refresh_token"]
    total = 0.0
    for arguments in [
        ["--data", f"grant_type=refresh_token&client_id=mojoauth-cli&refresh_token={refresh_token}",
         world.endpoints["token_endpoint"]],
        [world.endpoints["jwks_uri"]],
    ]:
        told = world.call("curl", "-sSf", "-o", "/dev/null", "-w", "%{time_total}", *arguments)
        total += float(told)
    return total


def ageing(world, rounds):
    """A get in the last fifth of a token's life, whose refresh is left behind, beside one of a fresh token."""
    issuer, process = world.start_issuer("second")
    world.sign_in("second", issuer)
    world.add_hosts("second", ["git.second.example"])
    # Its refreshes fail: the token goes on ageing.
    world.stop(process)
    state = json.loads(world.state("second"))
    now = int(time.time())
    state["received_at"], state["expires_at"] = now - 86400, now + 7200
    world.set_state(json.dumps(state), "second")
    fresh = world.input("fresh", "protocol=https\nhost=git.ours.example\n\n")
    # The refresh that is left behind must not run beside the next contender.
    pause = Contender("(pause)", ["sleep", "0.1"], fresh, shown=False)
    old = world.input("old", "protocol=https\nhost=git.second.example\n\n")
    return Table("get of an ageing token", rounds, [
        Contender("in the last fifth of its life", world.git_helper + ["get"], old, least=100),
        pause,
        Contender("fresh", world.git_helper + ["get"], fresh, least=100),
    ]).measure(world)
