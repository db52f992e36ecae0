//! Five hundred worlds in which everything goes wrong: no snapshot that claims to be whole is anything but a moment of
//! the world, and no webhook is lost for good or taken in twice.

mod moments;

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};

use governance_bot::facts::{RepositoryFacts, pull_facts, repository_facts};
use governance_bot::forge::Secret;
use governance_bot::webhook::{Intake, Taken, find_missed, redeliver};
use tests::fakehub::Hub;
use tests::fakehub::deliveries::{Posted, meddle};
use tests::fakehub::people::NewCheck;
use tests::ready::now;

use moments::{Moment, moment, told, untruths};

use super::stage::{CHANGE, CHANGE_MORE, MAIN_NEXT, MOVES, OTHER, ROOT, Stage, sha};

/// Worlds of a run.
const SEEDS: u64 = 500;
/// Of a thousand requests, how many go wrong.
const FAULTS_PER_MILLE: u32 = 60;
/// Of a hundred requests, before how many the world changes.
const CHANGES_PERCENT: u8 = 4;
/// Every so many worlds, each exchange is held against the description.
const CONFORMANCE_EVERY: u64 = 50;

/// Something happens.
fn change(hub: &mut Hub, shop: u64, people: [u64; 3], random: &mut fastrand::Rng) {
    let [alice, bob, pipeline] = people;
    let numbers: Vec<u64> = hub.world.repositories[&shop].pulls.keys().copied().collect();
    let number = numbers[random.usize(..numbers.len())];
    let head = hub.world.repositories[&shop].pulls[&number].head.clone();
    let branch = hub.world.repositories[&shop].pulls[&number].head_branch.clone();
    let heads = [CHANGE, CHANGE_MORE, OTHER, MOVES];
    match random.u8(..14) {
        0 | 1 => hub.push(shop, &branch, sha(heads[random.usize(..4)]), bob),
        2 => hub.push(shop, "main", sha([ROOT, MAIN_NEXT][random.usize(..2)]), alice),
        3 => drop(hub.comment_by(shop, number, bob, "more")),
        4 => {
            let found = hub.world.repositories.get_mut(&shop).unwrap();
            found.issues.get_mut(&number).unwrap().comments.pop();
        }
        5 => hub.label(shop, number, "ready-to-merge", alice),
        6 => drop(hub.unlabel(shop, number, "ready-to-merge", bob)),
        7 | 8 => {
            let conclusion = [None, Some("success"), Some("failure")][random.usize(..3)];
            hub.check(shop, &NewCheck { app: pipeline, head: &head, name: "build", conclusion });
        }
        9 => hub.set_status(shop, bob, &head, "licences", ["success", "pending"][random.usize(..2)], None),
        10 => drop(hub.review_by(shop, number, alice, ["APPROVED", "COMMENTED"][random.usize(..2)], "")),
        11 => hub.react(shop, number, alice, ["+1", "-1"][random.usize(..2)]),
        12 => drop(hub.attach(shop, bob, &head, ".github/workflows/plan.yml", "arb-plan", b"{}")),
        _ => hub.set_draft(shop, number, random.bool(), bob),
    }
}

fn furnish(stage: &Stage, random: &mut fastrand::Rng) -> Vec<u64> {
    let numbers = vec![stage.open("one", CHANGE), stage.open("two", OTHER)];
    stage.hub().protect(stage.shop, "main", &[("build", Some(stage.pipeline))]);
    // One world in six has listings of several pages.
    let many = if random.u8(..6) == 0 { 130 } else { random.usize(..4) };
    for number in &numbers {
        for at in 0..many {
            stage.hub().comment_by(stage.shop, *number, stage.bob, &format!("{at}"));
        }
    }
    for at in 0..many {
        stage.check(CHANGE, &format!("job {at}"), Some("success"));
    }
    for _ in 0..random.u8(..20) {
        change(&mut stage.hub(), stage.shop, [stage.alice, stage.bob, stage.pipeline], random);
    }
    numbers
}

/// What a run came to.
#[derive(Debug, Default, PartialEq, Eq)]
struct Sum {
    whole: u64,
    not_whole: u64,
    unread: u64,
    faults: u64,
    heard: u64,
    asked_again: u64,
    digest: Vec<String>,
}

fn world(seed: u64) -> Sum {
    let mut random = fastrand::Rng::with_seed(seed);
    let stage = if seed.is_multiple_of(CONFORMANCE_EVERY) { Stage::set() } else { Stage::unwatched() };
    stage.hub().deliveries.secret = Some("secret".to_owned());
    let numbers = furnish(&stage, &mut random);
    let mut intake = Intake::new(vec![Secret::new("secret")]);
    drop(stage.hub().take_posted());
    stage.hub().pass(10);
    let since = stage.hub().world.now;
    stage.hub().pass(10);
    let moments: Arc<Mutex<Vec<Moment>>> = Arc::new(Mutex::new(vec![moment(&stage.hub(), stage.shop)]));
    let (kept, shop) = (Arc::clone(&moments), stage.shop);
    let (people, mut meddler) = ([stage.alice, stage.bob, stage.pipeline], random.fork());
    stage.client_wire().meanwhile(Some(Box::new(move |hub, _| {
        if meddler.u8(..100) < CHANGES_PERCENT {
            change(hub, shop, people, &mut meddler);
            kept.lock().unwrap().push(moment(hub, shop));
        }
    })));
    stage.hub().faults.seed(seed, FAULTS_PER_MILLE);
    let mut sum = Sum::default();
    let (mut emitted, mut held_up) = (BTreeSet::new(), Vec::new());
    for _ in 0..2 {
        let from = moments.lock().unwrap().len() - 1;
        let read: Result<RepositoryFacts, _> =
            now(repository_facts(&stage.client, stage.actor, "acme/shop", Some("arb-plan")));
        let Ok(repository) = read else {
            sum.unread += 1;
            continue;
        };
        for number in &numbers {
            let Ok(facts) = now(pull_facts(&stage.client, stage.actor, &repository, *number)) else {
                sum.unread += 1;
                continue;
            };
            sum.digest.push(facts.digest().hex());
            if facts.complete().is_none() {
                sum.not_whole += 1;
                continue;
            }
            let untrue = untruths(&facts, &moments.lock().unwrap()[from..]);
            assert!(
                untrue.is_empty(),
                "seed {seed}, pull request {number}: whole and untrue: {untrue:?}\n{}",
                told(&facts)
            );
            sum.whole += 1;
        }
        let posted = stage.hub().take_posted();
        emitted.extend(posted.iter().map(|posted| posted.guid.clone()));
        let (arrived, late) = meddle(posted, &mut random);
        hear(&mut intake, [std::mem::replace(&mut held_up, late), arrived].concat(), &mut sum);
        // What is missed is found in the listing, or the listing says that it does not tell.
        if let Ok((missed, None)) = now(find_missed(&stage.client, &intake, since)) {
            let found: BTreeSet<&str> = missed.iter().map(|missed| missed.attempt.guid.as_str()).collect();
            let silent = emitted.iter().find(|guid| !intake.has_seen(guid) && !found.contains(guid.as_str()));
            assert_eq!(silent, None, "seed {seed}: a lost delivery is neither heard nor missed");
        }
    }
    stage.client_wire().meanwhile(None);
    sum.faults = stage.hub().faults.happened;
    catch_up(&stage, seed, since, &mut intake, &mut emitted, &mut sum);
    // Left alone, it is whole again at once.
    let facts = stage.pull(numbers[0]);
    assert!(facts.complete().is_some(), "seed {seed}: {:?}", facts.gaps());
    sum
}

/// Nothing goes wrong any more: what was lost is found and asked for, and each event was taken in once.
fn catch_up(
    stage: &Stage,
    seed: u64,
    since: ontology::Timestamp,
    intake: &mut Intake,
    emitted: &mut BTreeSet<String>,
    sum: &mut Sum,
) {
    stage.hub().faults.stop();
    stage.hub().pass(600);
    let posted = stage.hub().take_posted();
    emitted.extend(posted.iter().map(|posted| posted.guid.clone()));
    let (missed, unheard) = now(find_missed(&stage.client, intake, since)).unwrap();
    assert_eq!(unheard, None, "seed {seed}");
    for missed in &missed {
        now(redeliver(&stage.client, missed)).unwrap();
    }
    sum.asked_again = missed.len() as u64;
    let posted = stage.hub().take_posted();
    hear(intake, posted, sum);
    let lost: Vec<&String> = emitted.iter().filter(|guid| !intake.has_seen(guid)).collect();
    assert!(lost.is_empty(), "seed {seed}: lost for good: {lost:?}");
    assert_eq!(sum.heard, emitted.len() as u64, "seed {seed}: each was taken in once");
}

fn hear(intake: &mut Intake, posted: Vec<Posted>, sum: &mut Sum) {
    for posted in posted {
        match intake.take(|name| posted.header(name), &posted.body) {
            Taken::New(_) => sum.heard += 1,
            Taken::Repeated => {}
            Taken::Refused(why) => panic!("{why}"),
        }
    }
}

#[test]
fn b70_b71_b73_no_seed_makes_facts_that_claim_to_be_whole_and_are_not() {
    let seeds: Vec<u64> = match std::env::var("FORGE_SEED").ok().and_then(|seed| seed.parse().ok()) {
        Some(seed) => vec![seed],
        None => (0..SEEDS).collect(),
    };
    let single = seeds.len() == 1;
    let sums: Vec<Sum> = std::thread::scope(|scope| {
        let halves: Vec<_> = seeds
            .chunks(seeds.len().div_ceil(2))
            .map(|half| {
                scope.spawn(move || {
                    let run = |seed: &u64| {
                        let run = std::panic::catch_unwind(|| world(*seed));
                        run.unwrap_or_else(|_| {
                            panic!("repeat it: FORGE_SEED={seed} cargo test -p tests forge::seeds")
                        })
                    };
                    half.iter().map(run).collect::<Vec<_>>()
                })
            })
            .collect();
        halves.into_iter().flat_map(|half| half.join().unwrap()).collect()
    });
    let total = |of: fn(&Sum) -> u64| sums.iter().map(of).sum::<u64>();
    let (whole, not_whole) = (total(|sum| sum.whole), total(|sum| sum.not_whole));
    println!(
        "{whole} whole, {not_whole} not, {} unread, {} faults",
        total(|sum| sum.unread),
        total(|sum| sum.faults)
    );
    println!("{} heard, {} asked for again", total(|sum| sum.heard), total(|sum| sum.asked_again));
    if !single {
        assert!(whole >= SEEDS && not_whole >= SEEDS / 4, "both happen: {whole}, {not_whole}");
        assert!(total(|sum| sum.faults) >= SEEDS && total(|sum| sum.asked_again) >= SEEDS / 4);
        assert_eq!(world(3), sums[3], "the same seed gives the same world");
    }
}

#[test]
fn a_snapshot_that_lacks_something_is_no_moment_of_the_world() {
    let stage = Stage::set();
    let number = furnish(&stage, &mut fastrand::Rng::with_seed(1))[0];
    let people = [stage.alice, stage.bob, stage.pipeline];
    {
        let mut hub = stage.hub();
        let head = hub.world.repositories[&stage.shop].pulls[&number].head.clone();
        hub.check(
            stage.shop,
            &NewCheck { app: people[2], head: &head, name: "build", conclusion: Some("failure") },
        );
        hub.set_status(stage.shop, stage.bob, &head, "licences", "pending", None);
        hub.label(stage.shop, number, "held", stage.alice);
        hub.review_by(stage.shop, number, stage.alice, "COMMENTED", "");
        hub.react(stage.shop, number, stage.alice, "+1");
    }
    let moments = [moment(&stage.hub(), stage.shop)];
    let facts = stage.pull(number);
    assert_eq!(untruths(&facts, &moments), Vec::<&str>::new());
    let check = |expect: &str, doctor: fn(&mut governance_bot::facts::PullContent)| {
        let mut doctored = facts.clone();
        doctor(&mut doctored.content);
        assert!(untruths(&doctored, &moments).contains(&expect), "{expect}");
    };
    check("check runs", |content| drop(content.check_runs.items.pop()));
    check("statuses", |content| drop(content.statuses.items.pop()));
    check("reactions", |content| drop(content.reactions.items.pop()));
    check("commits", |content| drop(content.commits.items.pop()));
    check("files", |content| drop(content.files.items.pop()));
    check("up to date", |content| content.behind_by = Some(7));
    let whole = "the pull request, its events and reviews";
    check(whole, |content| content.timeline.items.retain(|event| !event.is("labeled")));
    check(whole, |content| drop(content.reviews.items.pop()));
    check(whole, |content| content.pull.labels.clear());
}
