import Foundation
import TestSupport

/// What every page of ours must be, asked in the browser that shows it: readable by everybody, and complete by itself.
enum PageCheck {
    /// Looks at the page as it is shown now, in a narrow and in a wide window, and keeps a picture of it.
    ///
    /// - Returns: what is wrong with it.
    static func faults(in browser: Chromium, keep name: String) throws -> [String] {
        try browser.resize(width: 320, height: 640)
        var faults = try answers(to: script, in: browser)
        try browser.resize(width: 640, height: 760)
        faults += try answers(to: script, in: browser)
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appendingPathComponent(".build/screenshots")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try browser.screenshot(to: folder.appendingPathComponent("\(name).png").path)
        return faults
    }

    /// Is what the keyboard has come to visible? The page must show a field or a button, and `selector` is the one
    /// before it.
    static func focusFaults(in browser: Chromium, after selector: String) throws -> [String] {
        try browser.type("\u{E004}", into: selector)
        return try answers(
            to: """
                const at = document.activeElement, look = getComputedStyle(at);
                if (!/^(BUTTON|INPUT)$/.test(at.tagName)) return ["Tab leads to " + at.tagName];
                const seen = look.outlineStyle !== "none" && parseFloat(look.outlineWidth) >= 2;
                return seen ? [] : ["no outline at the focus " + at.id];
                """, in: browser)
    }

    private static func answers(to script: String, in browser: Chromium) throws -> [String] {
        guard let answers = try browser.evaluate(script) as? [String] else {
            throw Chromium.Failure(description: "the page was not looked at")
        }
        return answers
    }

    /// Contrast as in WCAG 2, 1.4.3: 4.5 for text.
    private static let script = #"""
        const faults = [], one = (selector) => document.querySelectorAll(selector).length === 1;
        if (document.documentElement.lang !== "en") faults.push("no lang");
        if (!document.title.trim()) faults.push("no title");
        for (const tag of ["h1", "main"]) if (!one(tag)) faults.push("not one " + tag);
        if (document.querySelector("script,link,iframe,img,object,embed,[style],[onclick]")) faults.push("a thing from elsewhere");
        const loaded = performance.getEntriesByType("resource").map((entry) => entry.name);
        for (const name of loaded) if (!name.endsWith("/favicon.ico")) faults.push("loads " + name);
        if (document.documentElement.scrollWidth > innerWidth) faults.push("wider than " + innerWidth);
        for (const field of document.querySelectorAll("input:not([type=hidden])"))
          if (!field.labels.length) faults.push("no label for " + field.id);
        for (const picture of document.querySelectorAll("svg"))
          if (picture.getAttribute("aria-hidden") !== "true") faults.push("a picture without words");
        const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
        const light = ([r, g, b]) => [r, g, b].map((v) => v / 255)
          .map((v) => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
          .reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0);
        const ground = (node) => {
          for (; node; node = node.parentElement) {
            const found = colour(getComputedStyle(node).backgroundColor);
            if (found.length === 3 || found[3] > 0) return found;
          }
          return [255, 255, 255];
        };
        const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
        while (walker.nextNode()) {
          const text = walker.currentNode.data.trim(), parent = walker.currentNode.parentElement;
          if (!text) continue;
          const a = light(colour(getComputedStyle(parent).color)), b = light(ground(parent));
          const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
          if (contrast < 4.5) faults.push("contrast " + contrast.toFixed(2) + ": " + text);
        }
        return faults;
        """#
}
