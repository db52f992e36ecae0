package main

import rego.v1

deny contains {"msg": msg, "address": change.address} if {
	some change in input.resource_changes
	not change.change.after.tags.owner
	msg := sprintf("%s has no owner", [change.address])
}

resources := [r | some path, value; walk(input.planned_values, [path, value]); r := value.resources[_]]

warn contains "many" if count(resources) > 3

name(x) := upper(x)
