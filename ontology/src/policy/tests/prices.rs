use serde_json::json;

use crate::Money;
use crate::graph::sample::attributes;
use crate::policy::PriceBook;
use crate::policy::prices::TypePrice;

fn book() -> PriceBook {
    let by_class = TypePrice {
        attribute: Some("instance_class".to_owned()),
        times: None,
        monthly_micro: [("db.t3.micro".to_owned(), 12_000_000), ("*".to_owned(), 99_000_000)].into(),
    };
    let by_count = TypePrice {
        attribute: None,
        times: Some("desired_count".to_owned()),
        monthly_micro: [("*".to_owned(), 5_000_000)].into(),
    };
    PriceBook {
        currency: "USD".to_owned(),
        types: [("aws_db_instance".to_owned(), by_class), ("aws_ecs_service".to_owned(), by_count)].into(),
    }
}

#[test]
fn a_price_is_that_of_the_class_times_the_count_or_nothing() {
    let check = |kind: &str, json: serde_json::Value, expect: Option<i64>| {
        let expect = expect.map(|micro| Money::new(micro, "USD"));
        assert_eq!(book().monthly(kind, &attributes(json.clone())), expect, "{kind} {json}");
    };
    check("aws_db_instance", json!({ "instance_class": "db.t3.micro" }), Some(12_000_000));
    check("aws_db_instance", json!({ "instance_class": "db.r6g.large" }), Some(99_000_000));
    check("aws_db_instance", json!({}), None);
    check("aws_db_instance", json!({ "instance_class": 7 }), None);
    check("aws_ecs_service", json!({ "desired_count": 3 }), Some(15_000_000));
    check("aws_ecs_service", json!({ "desired_count": i64::MAX }), None);
    check("aws_instance", json!({}), None);
}
