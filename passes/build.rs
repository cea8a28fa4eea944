//! Writes the parser of rule files from its grammar.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    lalrpop::process_src()
}
