// Some random cases of each kind, other ones each day; the seeds are in the output. And a short soak.
// REQUIRES: time
// RUN: rm -rf %t
// RUN: %python -B %S/../../testing/fuzz.py --tools %tools --findings %t --cases 6 --only graphs sizes models formats texts archives libraries | FileCheck %s
// CHECK: graphs: 6 cases from seed {{[0-9]+}}:
// CHECK-NEXT: sizes: 6 cases
// CHECK-NEXT: models: 6 cases
// CHECK-NEXT: formats: 6 cases
// CHECK-NEXT: texts: 6 cases
// CHECK-NEXT: archives: 6 cases
// CHECK-NEXT: libraries: 6 cases
// CHECK-NEXT: {{[0-9]+}} runs, 0 findings
// RUN: %python -B %S/../../testing/soak.py --tools %tools --minutes 0.05 | FileCheck %s --check-prefix=SOAK
// SOAK: turns of 4 models, {{.*}} open files: flat
