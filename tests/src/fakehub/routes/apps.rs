//! The App, its installations and tokens, its deliveries; people and teams.

use serde_json::{Map, Value, json};

use super::super::description::description;
use super::super::render::time;
use super::super::world::{Token, Who};
use super::super::{Asked, Hub, Said};

/// How long a token of an installation lasts.
const TOKEN_S: i64 = 3_600;

impl Hub {
    pub(super) fn route_app(&mut self, operation: &str, asked: &Asked<'_>) -> Said {
        let Who::App(app) = asked.who else {
            return Said::refused(401, "A JSON web token could not be decoded");
        };
        match operation {
            "apps/get-authenticated" => Said::ok(self.app(app)),
            "apps/list-installations" => {
                let own = self.world.installations.values().filter(|installation| installation.app == app);
                Said::list(own.map(|installation| self.installation(installation.id)).collect())
            }
            "apps/create-installation-access-token" => self.make_token(app, asked.number("installation_id")),
            "apps/list-webhook-deliveries" => self.list_deliveries(asked),
            "apps/get-webhook-delivery" => self.get_delivery(asked.number("delivery_id")),
            "apps/redeliver-webhook-delivery" => self.redeliver(asked.number("delivery_id")),
            _ => Said::missing(),
        }
    }

    fn make_token(&mut self, app: u64, id: u64) -> Said {
        let Some(installation) = self.world.installations.get(&id).filter(|found| found.app == app) else {
            return Said::missing();
        };
        let permissions = installation.permissions.clone();
        let number = self.world.id();
        let token = format!("ghs_fake{number:012}");
        let expires_at = self.world.now.plus_seconds(TOKEN_S);
        let held = Token { who: Who::Installation(id), expires_at: Some(expires_at) };
        self.world.tokens.insert(token.clone(), held);
        let body = json!({
            "token": token, "expires_at": time(expires_at), "permissions": permissions, "repository_selection": "all",
        });
        Said::with(201, body)
    }

    pub(super) fn accessible(&self, asked: &Asked<'_>) -> Said {
        let Who::Installation(_) = asked.who else { return Said::refused(403, "Resource not accessible") };
        let visible = self.world.repositories.keys().filter(|id| self.may_see(asked.who, **id));
        let items: Vec<Value> = visible.map(|id| self.repository(*id, "repository")).collect();
        Said::within(
            json!({ "total_count": items.len(), "repository_selection": "all" }),
            "repositories",
            items,
        )
    }

    pub(super) fn authenticated(&self, asked: &Asked<'_>) -> Said {
        match asked.who {
            Who::Person(id) => {
                let mut person = description().shaped("public-user", json!({}));
                if let (Some(person), Value::Object(user)) = (person.as_object_mut(), self.user(id)) {
                    person.extend(user);
                }
                Said::ok(person)
            }
            Who::Anonymous => Said::refused(401, "Requires authentication"),
            Who::App(_) | Who::Installation(_) => {
                Said::refused(403, "Resource not accessible by integration")
            }
        }
    }

    pub(super) fn team_members(&self, asked: &Asked<'_>) -> Said {
        let key = (asked.parameter("org").to_owned(), asked.parameter("team_slug").to_owned());
        let Some(members) = self.world.teams.get(&key) else { return Said::missing() };
        Said::list(members.iter().map(|id| self.user(*id)).collect())
    }

    pub(super) fn rate_limit(&self) -> Said {
        let reset = self.world.now.as_micros() / 1_000_000 + 3_600;
        let core = json!({ "limit": self.limits.per_hour, "used": 0, "remaining": self.limits.per_hour, "reset": reset });
        let resources: Map<String, Value> =
            ["core", "graphql", "search"].into_iter().map(|name| (name.to_owned(), core.clone())).collect();
        Said::ok(json!({ "resources": resources, "rate": core }))
    }
}
