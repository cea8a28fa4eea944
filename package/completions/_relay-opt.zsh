#compdef relay-opt relay-translate relay-lsp-server relay-reduce
_gnu_generic "$@"
