// The example of docs/guide/programs.md is what the guide says of it.
// RUN: sed -n '/^#\[version/,/^```/p' %S/../../docs/guide/programs.md | grep -v '^```' > %t.relay
// RUN: sed -n '/^function 1/,/^```/p' %S/../../docs/guide/programs.md | grep -v '^```' > %t.expected
// RUN: relayc compile %t.relay --emit program -o %t.listing
// RUN: sed -n '/^function 1/,/^kernel/p' %t.listing | grep -v '^kernel' | diff %t.expected -
// RUN: relayc run %t.relay --executor interpreter -q
