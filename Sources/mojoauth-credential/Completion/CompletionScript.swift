/// The scripts: each asks `completion --words` what there is, so that none knows a command or an option itself.
enum CompletionScript: String, CaseIterable {
    case bash
    case zsh
    case fish

    var text: String {
        switch self {
        case .bash: Self.bashText
        case .zsh: Self.zshText
        case .fish: Self.fishText
        }
    }

    /// bash cuts words at colons and equals signs, so the line is cut here, and what stands before the last of them taken
    /// off again.
    private static let bashText = #"""
        # Completions of mojoauth-credential for bash.
        _mojoauth_credential() {
            local line=${COMP_LINE:0:COMP_POINT} words typed word
            read -ra words <<<"$line"
            [[ $line == *[[:space:]] ]] && words+=("")
            typed=${words[${#words[@]}-1]}
            COMPREPLY=()
            while IFS=$'\t' read -r word _; do
                COMPREPLY+=("${word#"${typed%"${typed##*[:=]}"}"}")
            done < <(mojoauth-credential completion --words -- "${words[@]:1}" 2>/dev/null)
        }
        complete -o bashdefault -o default -F _mojoauth_credential mojoauth-credential

        """#

    private static let zshText = #"""
        #compdef mojoauth-credential
        # Completions of mojoauth-credential for zsh.
        _mojoauth_credential() {
            local line
            local -a shown
            while IFS= read -r line; do
                shown+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}")
            done < <(mojoauth-credential completion --words -- "${(@)words[2,CURRENT]}" 2>/dev/null)
            if (( ${#shown} )); then
                _describe -V mojoauth-credential shown
            else
                _files
            fi
        }
        if [[ ${funcstack[1]} == _mojoauth?credential ]]; then
            _mojoauth_credential "$@"
        else
            compdef _mojoauth_credential mojoauth-credential
        fi

        """#

    private static let fishText = #"""
        # Completions of mojoauth-credential for fish.
        function __mojoauth_credential_words
            set -l before (commandline -opc)
            set -l typed (commandline -ct)
            if string match -qr -- '-file$' $before[-1]
                __fish_complete_path "$typed"
            else
                mojoauth-credential completion --words -- $before[2..-1] "$typed" 2>/dev/null
            end
        end
        complete -c mojoauth-credential -k -f -a '(__mojoauth_credential_words)'

        """#
}
