//! The command line of arb; all of it is [`runtime::arbctl`].

fn main() -> std::process::ExitCode {
    runtime::arbctl::main()
}
