package acme.tags

violation[{"msg": msg, "details": {}}] {
	r := input.resource_changes[_]
	r.change.actions[_] == "update"
	msg := sprintf("%v", [r.change.after.bucket])
}

deny_x[msg] { msg := concat("", ["a", "b"]) } else = "c" { false }
