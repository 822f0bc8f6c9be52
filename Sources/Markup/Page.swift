/// The frame of every page of ours: one quiet design, light and dark, no script, nothing from elsewhere.
package struct Page: Sendable {
    /// Of the page and of its heading.
    package var title: String
    /// Whose page it is, behind the title.
    package var site: String
    package var mark: Mark
    /// Markup, escaped already.
    package var content: String
    package var footer: String

    package init(title: String, site: String, mark: Mark, content: String, footer: String) {
        self.title = title
        self.site = site
        self.mark = mark
        self.content = content
        self.footer = footer
    }

    /// The picture above the heading; the heading says the same in words.
    package enum Mark: Sendable {
        /// The letter M, which stands for the house.
        case house
        case done
        case stopped
        case failed
        case unclear
    }

    package var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <meta name="color-scheme" content="light dark">
        <title>\(HTML.escape(title)) - \(HTML.escape(site))</title>
        <style>\(Self.style)</style>
        </head>
        <body>
        <main>
        \(mark.svg)
        <h1>\(HTML.escape(title))</h1>
        \(content)
        </main>
        <footer>\(HTML.escape(footer))</footer>
        </body>
        </html>

        """
    }

    /// The text of the page's one style element: a policy allows it by its digest. Text has a contrast of 4.5 to what
    /// it stands on, borders of fields and buttons one of 3.
    package static let style = """
        :root{color-scheme:light dark;--page:#f5f5f7;--card:#fff;--line:#d6d6de;--text:#1b1b22;--soft:#5c5c69;\
        --accent:#4338ca;--on-accent:#fff;--good:#12703a;--bad:#b42318}
        @media(prefers-color-scheme:dark){:root{--page:#131318;--card:#1d1d24;--line:#3a3a47;--text:#f0f0f4;\
        --soft:#a9a9b8;--accent:#8b85ff;--on-accent:#14132b;--good:#6fd39a;--bad:#ff8a80}}
        *{box-sizing:border-box}
        body{margin:0;min-height:100vh;display:flex;flex-direction:column;align-items:center;justify-content:center;\
        padding:1rem;background:var(--page);color:var(--text);font:1rem/1.5 system-ui,sans-serif}
        main{width:100%;max-width:25rem;padding:2rem 1.75rem;background:var(--card);border:1px solid var(--line);\
        border-radius:1rem;overflow-wrap:anywhere}
        .done{color:var(--good)}
        .failed{color:var(--bad)}
        .stopped,.unclear{color:var(--soft)}
        h1{margin:1rem 0 .25rem;font-size:1.5rem;line-height:1.25}
        p{margin:.25rem 0 1rem;color:var(--soft)}
        p:last-child{margin-bottom:0}
        strong{color:var(--text)}
        .person{display:flex;align-items:center;gap:.75rem;margin:1rem 0;padding:.75rem;border:1px solid var(--line);\
        border-radius:.75rem;line-height:1.35}
        .initial{flex:none;display:grid;place-items:center;width:2.5rem;height:2.5rem;border-radius:50%;\
        background:var(--accent);color:var(--on-accent);font-size:1.15rem;font-weight:600}
        h1+dl{margin-top:1.25rem}
        dl{margin:1rem 0;padding:0;border-top:1px solid var(--line)}
        dt{padding-top:.6rem;font-size:.875rem;color:var(--soft)}
        dd{margin:0;padding-bottom:.6rem;border-bottom:1px solid var(--line)}
        label{display:block;margin:1rem 0 .375rem;font-weight:600}
        input:not([type=hidden]){width:100%;padding:.7rem .8rem;font:inherit;color:inherit;background:transparent;\
        border:1px solid var(--soft);border-radius:.6rem}
        input.code{font-size:1.4rem;letter-spacing:.3em;text-align:center}
        button{width:100%;margin-top:1rem;padding:.75rem;font:inherit;font-weight:600;border-radius:.6rem;cursor:pointer;\
        color:var(--on-accent);background:var(--accent);border:1px solid var(--accent)}
        button.second{color:var(--text);background:transparent;border-color:var(--soft)}
        input:focus-visible,button:focus-visible{outline:3px solid var(--accent);outline-offset:2px}
        output{display:block;margin:.5rem 0 1rem;padding:.75rem;text-align:center;font:600 1.75rem/1.2 ui-monospace,monospace;\
        letter-spacing:.2em;border:1px dashed var(--soft);border-radius:.6rem}
        ul{margin:.75rem 0;padding:0;list-style:none;border-top:1px solid var(--line)}
        li{padding:.6rem 0;border-bottom:1px solid var(--line);color:var(--soft)}
        .remark{margin:1rem 0 0;color:var(--bad);font-weight:600}
        footer{max-width:25rem;margin-top:1rem;font-size:.875rem;text-align:center;color:var(--soft)}
        @media(max-width:24rem){main{padding:1.5rem 1.1rem}}
        """
}

extension Page.Mark {
    /// The sandbox's, also the picture of everybody who signs in there.
    package static let houseSVG = """
        <svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" viewBox="0 0 40 40" aria-hidden="true">\
        <rect width="40" height="40" rx="11" fill="#4338ca"/>\
        <path d="M11 28V13l9 9 9-9v15" fill="none" stroke="#fff" stroke-width="3.5" stroke-linecap="round" \
        stroke-linejoin="round"/></svg>
        """

    fileprivate var svg: String {
        switch self {
        case .house: Self.houseSVG
        case .done: Self.round("done", "M12 20.5l5.5 5.5L28 15")
        case .stopped: Self.round("stopped", "M13 20h14")
        case .failed: Self.round("failed", "M20 11v11m0 6v.1")
        case .unclear: Self.round("unclear", "M15.5 16a4.5 4.5 0 1 1 6.5 4c-1.4.7-2 1.5-2 3m0 5.5v.1")
        }
    }

    /// A sign in a circle, in the colour of its class.
    private static func round(_ name: String, _ path: String) -> String {
        """
        <svg class="\(name)" width="40" height="40" viewBox="0 0 40 40" aria-hidden="true" fill="none" \
        stroke="currentColor" stroke-linecap="round" stroke-linejoin="round"><circle cx="20" cy="20" r="18.5" \
        stroke-width="2.5"/><path d="\(path)" stroke-width="3.5"/></svg>
        """
    }
}
