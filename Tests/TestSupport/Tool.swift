import Glibc

/// A program of others that a test needs.
///
/// A tool that is missing fails the test, on a developer's machine as under CI: a test that skips itself tells nobody.
package enum Tool: String, CaseIterable, Sendable {
    case apache = "apache2"
    case cargo
    case chromedriver
    case chromium
    case curl
    case dbusDaemon = "dbus-daemon"
    case dbusMonitor = "dbus-monitor"
    case docker
    case dockerRegistry = "docker-registry"
    case fish
    case gdbus
    case git
    case gitCredentialOAuth = "git-credential-oauth"
    case glewlwyd
    case keepassxc
    case keepassxcCLI = "keepassxc-cli"
    case keyringDaemon = "gnome-keyring-daemon"
    case kubectl
    case openssl
    case python = "python3"
    case readelf
    case secretTool = "secret-tool"
    case setpriv
    case setsid
    case skopeo
    case sqlite = "sqlite3"
    case systemdAnalyze = "systemd-analyze"
    case terraform
    case valgrind
    case zbarimg
    case zsh

    /// Where tools are looked for, and all that a test's own PATH holds besides our programs.
    package static let folders = ["/usr/local/bin", "/usr/bin", "/bin", "/usr/local/sbin", "/usr/sbin", "/sbin"]

    /// Debian's package that brings it; `make deps-test` installs them all.
    package var debianPackage: String {
        switch self {
        case .apache: "apache2-bin"
        case .cargo: "cargo-web"
        case .chromedriver: "chromium-driver"
        case .dbusDaemon: "dbus-daemon"
        case .dbusMonitor: "dbus-bin"
        case .docker: "docker.io"
        case .gdbus: "libglib2.0-bin"
        case .keepassxcCLI: "keepassxc"
        case .keyringDaemon: "gnome-keyring"
        case .kubectl: "kubernetes-client"
        case .readelf: "binutils"
        case .secretTool: "libsecret-tools"
        case .setpriv, .setsid: "util-linux"
        case .systemdAnalyze: "systemd"
        case .zbarimg: "zbar-tools"
        case .chromium, .curl, .dockerRegistry, .fish, .git, .gitCredentialOAuth, .glewlwyd, .keepassxc, .openssl,
            .python, .skopeo, .sqlite, .terraform, .valgrind, .zsh:
            rawValue
        }
    }

    /// Where rustup, which many have in the place of a package, puts Cargo.
    private static var rustupCargo: String? {
        guard let home = getenv("HOME") else { return nil }
        let path = "\(String(cString: home))/.cargo/bin/cargo"
        return access(path, X_OK) == 0 ? path : nil
    }

    package func path() throws(MissingPart) -> String {
        for folder in Tool.folders where access("\(folder)/\(rawValue)", X_OK) == 0 {
            return "\(folder)/\(rawValue)"
        }
        if self == .cargo, let path = Self.rustupCargo { return path }
        guard self != .terraform else {
            throw MissingPart(
                description: "terraform is missing: no package brings it, get it from its makers into /usr/local/bin")
        }
        throw MissingPart(
            description: "\(rawValue) is missing: install the package \(debianPackage), or run `make deps-test`")
    }
}

/// Something that the test world is made of is not there.
package struct MissingPart: Error, CustomStringConvertible, Sendable {
    package var description: String

    package init(description: String) {
        self.description = description
    }
}
