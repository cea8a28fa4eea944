# Completes the options of MLIR's tools, which say themselves what they are, and files.
_relay_mlir_tools() {
  [[ $2 == -* ]] || return
  local words
  words=$("$1" --help 2>/dev/null | sed -n 's/^ *\(--[A-Za-z0-9][-A-Za-z0-9_]*=\{0,1\}\).*/\1/p')
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$2")
  [[ ${#COMPREPLY[@]} != 1 || ${COMPREPLY[0]} != *= ]] || compopt -o nospace
}
complete -o default -F _relay_mlir_tools relay-opt relay-translate relay-lsp-server relay-reduce
