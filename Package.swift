// swift-tools-version: 6.2
import PackageDescription

// One list of settings for every target: Swift 6 mode comes with the tools version; a warning is an error.
let settings: [SwiftSetting] = [
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

/// A system library: a module map and a shim header under `Sources/`, nothing more.
func library(_ name: String, _ pkgConfig: String, apt: String) -> Target {
    .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([apt])])
}

/// Each start of the hot program would pay for the library of regular expressions, which Swift imports by itself; and for
/// functions that it does not run, if the linker could not lay aside those of a module one by one (packaging/link-order).
let lean =
    settings + [
        .unsafeFlags([
            "-Xfrontend", "-disable-implicit-string-processing-module-import", "-Xfrontend", "-function-sections",
        ])
    ]

/// A module of ours. `of` lists every module it imports: the arrows of CONTRIBUTING.md, drawn downwards.
///
/// - Parameter isHot: does `mojoauth-helper` link it?
func module(_ name: String, of dependencies: [String] = [], isHot: Bool = true) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: isHot ? lean : settings)
}

func program(_ name: String, of dependencies: [String]) -> Target {
    .executableTarget(name: name, dependencies: dependencies.map { .byName(name: $0) }, swiftSettings: settings)
}

/// - Parameter exclude: files that the tests read where they lie.
func tests(_ name: String, of dependencies: [String], exclude: [String] = []) -> Target {
    .testTarget(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, exclude: exclude, swiftSettings: settings)
}

/// Code that only tests use: it lies with them.
func support(_ name: String, of dependencies: [String], exclude: [String] = []) -> Target {
    .target(
        name: name, dependencies: dependencies.map { .byName(name: $0) }, path: "Tests/\(name)", exclude: exclude,
        swiftSettings: settings)
}

let package = Package(
    name: "mojoauth-credential",
    products: [
        .executable(name: "mojoauth-helper", targets: ["mojoauth-helper"]),
        .executable(name: "mojoauth-credential", targets: ["mojoauth-credential"]),
        .executable(name: "mojoauth-sandbox", targets: ["mojoauth-sandbox"]),
    ],
    targets: [
        library("CGLib", "gio-unix-2.0", apt: "libglib2.0-dev"),
        library("CSecret", "libsecret-1", apt: "libsecret-1-dev"),
        library("CSoup", "libsoup-3.0", apt: "libsoup-3.0-dev"),
        library("CJansson", "jansson", apt: "libjansson-dev"),
        library("CJose", "cjose", apt: "libcjose-dev"),
        library("CQREncode", "libqrencode", apt: "libqrencode-dev"),

        module("Sensitive"),
        module("JSON", of: ["CJansson"]),
        module("WebAddress", of: ["CGLib"]),
        module("Program", of: ["CGLib"]),
        module("Options", of: ["Program", "CGLib"], isHot: false),
        module("Markup", of: ["Program"], isHot: false),
        module("OpenIDConnect", of: ["Sensitive", "JSON", "WebAddress"]),
        module("JOSE", of: ["OpenIDConnect", "JSON", "CJose", "CJansson"], isHot: false),
        module("Keyring", of: ["Program", "Sensitive", "CSecret", "CGLib"]),
        module("Configuration", of: ["WebAddress", "CGLib"]),
        module(
            "SessionStore",
            of: ["OpenIDConnect", "Configuration", "Keyring", "JSON", "WebAddress", "Program", "Sensitive", "CGLib"]),
        module("HelperProtocol", of: ["Sensitive", "JSON", "WebAddress"]),
        module(
            "HelperCommands",
            of: [
                "HelperProtocol", "Configuration", "SessionStore", "Keyring", "OpenIDConnect", "WebAddress", "Program",
                "Sensitive", "JSON", "CGLib",
            ]),
        module(
            "Login",
            of: [
                "SessionStore", "Configuration", "OpenIDConnect", "JOSE", "JSON", "WebAddress", "Markup", "Program",
                "Sensitive", "Keyring", "CSoup", "CGLib",
            ], isHot: false),
        module(
            "Sandbox",
            of: [
                "OpenIDConnect", "JOSE", "JSON", "WebAddress", "Markup", "Program", "Sensitive", "CSoup", "CGLib",
            ], isHot: false),

        .target(name: "CStart"),
        program("mojoauth-helper", of: ["HelperCommands", "Program", "CStart"]),
        program(
            "mojoauth-credential",
            of: [
                "HelperCommands", "HelperProtocol", "Configuration", "SessionStore", "Login", "Keyring",
                "OpenIDConnect", "JSON", "WebAddress", "Options", "Program", "Sensitive", "CQREncode", "CGLib",
            ]),
        program("mojoauth-sandbox", of: ["Sandbox", "Options", "Program"]),

        tests("SensitiveTests", of: ["Sensitive"]),
        tests("JSONTests", of: ["JSON"]),
        tests("WebAddressTests", of: ["WebAddress"]),
        tests("HelperProtocolTests", of: ["HelperProtocol", "Sensitive", "JSON", "WebAddress"]),
        tests(
            "HelperCommandsTests",
            of: [
                "HelperCommands", "HelperProtocol", "Configuration", "SessionStore", "Keyring", "OpenIDConnect",
                "WebAddress", "Program", "Sensitive", "JSON",
            ]),
        tests("ConfigurationTests", of: ["Configuration", "WebAddress"]),
        tests("ProgramTests", of: ["Program", "CGLib"]),
        tests("OptionsTests", of: ["Options", "Program"]),
        tests("OpenIDConnectTests", of: ["OpenIDConnect", "Sensitive", "JSON", "WebAddress", "CGLib"]),
        tests(
            "SessionStoreTests", of: ["SessionStore", "OpenIDConnect", "Sensitive", "JSON", "Program", "CGLib"],
            exclude: ["Golden"]),
        tests("JOSETests", of: ["JOSE", "OpenIDConnect", "JSON"]),
        tests(
            "LoginTests",
            of: [
                "Login", "Configuration", "OpenIDConnect", "JOSE", "JSON", "WebAddress", "Program", "Sensitive",
                "CSoup", "CGLib", "TestSupport",
            ]),
        tests(
            "SandboxTests", of: ["Sandbox", "JOSE", "OpenIDConnect", "JSON", "WebAddress", "Program", "TestSupport"]),
        support("TestSupport", of: ["Program", "CGLib"]),
        tests("KeyringTests", of: ["Keyring", "Program", "Sensitive", "TestSupport"]),
        tests("IntegrationTests", of: ["SessionStore", "TestSupport"], exclude: ["Golden"]),
        tests("PeerTests", of: ["SessionStore", "TestSupport"]),
        tests("ProviderTests", of: ["TestSupport"]),
        tests("TortureTests", of: ["SessionStore", "OpenIDConnect", "Sensitive", "Program", "TestSupport"]),
    ]
)

// The unit tests under a sanitizer want a build of their own, and nothing in it that they do not use.
if Context.environment["SANITIZING"] != nil {
    let left = [
        "mojoauth-helper", "mojoauth-credential", "IntegrationTests", "KeyringTests", "PeerTests", "ProviderTests",
        "TortureTests",
    ]
    package.products.removeAll { left.contains($0.name) }
    package.targets.removeAll { left.contains($0.name) }
}

// The parsers under libFuzzer, of which Tests/Fuzzing/run makes a build of its own.
if Context.environment["FUZZING"] != nil {
    package.products.append(.library(name: "Fuzzing", type: .static, targets: ["Fuzzing"]))
    package.targets.append(
        support(
            "Fuzzing",
            of: [
                "HelperProtocol", "Configuration", "Login", "SessionStore", "JOSE", "OpenIDConnect", "JSON",
                "WebAddress", "Sensitive",
            ], exclude: ["Corpus", "run"]))
}
