#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let (_, run) = tests::fuzzing::target("policy").expect("it is listed");
    run(bytes);
});
