# Completes the options of MLIR's tools, which say themselves what they are.
function __relay_mlir_options
    $argv[1] --help 2>/dev/null | string replace -rf '^ *(--[A-Za-z0-9][A-Za-z0-9_-]*=?)\S* *-? *(.*)$' '$1\t$2'
end
for tool in relay-opt relay-translate relay-lsp-server relay-reduce
    complete -c $tool -n "string match -q -- '-*' (commandline -ct)" -a "(__relay_mlir_options $tool)"
end
