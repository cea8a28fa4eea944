//! What schedules may tensorize loops with.

/// Intrinsics of length two, whose implementations go backwards.
pub fn all() -> String {
    let mut text = String::new();
    for (ty, add, mul, two) in [("i32", "addi", "muli", "2"), ("f32", "addf", "mulf", "2.0")] {
        let read = |name: &str, from: &str| {
            format!("%{name} = tensor.extract %{from}[%k] : tensor<2x{ty}>\n")
        };
        let load = |name: &str, from: &str, at: usize| {
            format!("%{name}{at} = memref.load %{from}[%c{at}] : memref<2x{ty}>\n")
        };
        let constants = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n";
        // What each adds to the sum.
        for (name, operands) in [("dot", vec!["a", "b"]), ("sum", vec!["a"])] {
            let list = |kind: &str| {
                let list = operands
                    .iter()
                    .map(|name| format!("%{name}: {kind}<2x{ty}>"));
                list.collect::<Vec<_>>().join(", ")
            };
            text += &format!(
                "te.tensor_intrin @{name}_{ty} {{\n^bb0({}):\n",
                list("tensor")
            );
            text += "%s = te.compute \"s\" () sum (%k: 2) {\n";
            text += &read("x", "a");
            let value = if name == "dot" {
                text += &read("y", "b");
                text += &format!("%p = arith.{mul} %x, %y : {ty}\n");
                "%p"
            } else {
                "%x"
            };
            text += &format!("te.yield {value} : {ty}\n}} : tensor<{ty}>\n");
            text += &format!("te.yield %s : tensor<{ty}>\n}} implementation {{\n");
            text += &format!("^bb0({}, %s: memref<{ty}>):\n{constants}", list("memref"));
            text += &format!("%s2 = memref.load %s[] : memref<{ty}>\n");
            for at in [1, 0] {
                text += &load("x", "a", at);
                let value = if name == "dot" {
                    text += &load("y", "b", at);
                    text += &format!("%p{at} = arith.{mul} %x{at}, %y{at} : {ty}\n");
                    "%p"
                } else {
                    "%x"
                };
                text += &format!("%s{at} = arith.{add} %s{}, {value}{at} : {ty}\n", at + 1);
            }
            text += &format!("memref.store %s0, %s[] : memref<{ty}>\n}}\n");
        }
        text += &format!(
            "te.tensor_intrin @double_{ty} {{\n^bb0(%a: tensor<2x{ty}>):\n\
             %s = te.compute \"s\" (%k: 2) {{\n{}\
             %two = arith.constant {two} : {ty}\n%y = arith.{add} %x, %two : {ty}\n\
             te.yield %y : {ty}\n}} : tensor<2x{ty}>\nte.yield %s : tensor<2x{ty}>\n\
             }} implementation {{\n^bb0(%a: memref<2x{ty}>, %s: memref<2x{ty}>):\n{constants}\
             %two = arith.constant {two} : {ty}\n",
            read("x", "a")
        );
        for at in [1, 0] {
            text += &load("x", "a", at);
            text += &format!("%y{at} = arith.{add} %x{at}, %two : {ty}\n");
            text += &format!("memref.store %y{at}, %s[%c{at}] : memref<2x{ty}>\n");
        }
        text += "}\n";
    }
    text
}
