use super::*;

const NOON: Timestamp = Timestamp::from_micros(1_796_000_000_000_000);

#[test]
fn b79_content_is_held_at_eighty_a_minute_and_five_hundred_an_hour() {
    let mut budget = Budget::default();
    let mut now = NOON;
    let mut times = Vec::new();
    for _ in 0..700 {
        now = now.plus_ms(budget.content_wait_ms(now));
        budget.made_content(now);
        times.push(now);
    }
    let most = |seconds: i64| {
        let counts = times.iter().map(|start| {
            let end = start.plus_seconds(seconds);
            times.iter().filter(|time| **time >= *start && **time < end).count()
        });
        counts.max()
    };
    assert_eq!(most(60), Some(CONTENT_PER_MINUTE));
    assert_eq!(most(3_600), Some(CONTENT_PER_HOUR));
    assert!(now < NOON.plus_seconds(3_600 + 600), "and no longer than it must: {now}");
}

#[test]
fn a_budget_is_low_until_its_hour_ends_and_never_by_another_resource() {
    let reply = |remaining: &str, resource: &str| Reply {
        status: 200,
        headers: vec![
            ("x-ratelimit-remaining".into(), remaining.into()),
            ("x-ratelimit-reset".into(), (NOON.as_micros() / 1_000_000 + 60).to_string()),
            ("x-ratelimit-resource".into(), resource.into()),
        ],
        body: Vec::new(),
    };
    let mut budget = Budget::default();
    assert!(!budget.is_low(200, NOON), "unknown is not low");
    budget.note(&reply("199", "core"));
    assert!(budget.is_low(200, NOON));
    assert!(!budget.is_low(199, NOON));
    assert!(!budget.is_low(200, NOON.plus_seconds(61)), "a new hour");
    budget.note(&reply("4000", "graphql"));
    assert!(budget.is_low(200, NOON), "points of GraphQL are not requests");
}
