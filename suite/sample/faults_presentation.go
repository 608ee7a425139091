package sample

func presentationFaults() []Fault {
	collateral := ids("messages/every-message-valid", "listing/parses-*", "clients/*", "host-*")
	annotate := func(edit func(annotations object)) func(b *behaviour) {
		return func(b *behaviour) {
			editTool(b, "text_slug", func(t object) { edit(asObject(t["annotations"])) })
		}
	}
	return []Fault{
		{
			Name: "presentation-title-in-annotations", What: "The title of a tool stands beside its name alone, where Claude Code does not look.",
			Checks: ids("presentation/title-in-annotations"), Collateral: ids("presentation/label-shown", "host-*"),
			plant: annotate(func(a object) { delete(a, "title") }),
		},
		{
			Name: "presentation-title-agrees", What: "The two titles of a tool differ.",
			Checks: ids("presentation/title-agrees"), Collateral: ids("presentation/label-shown"),
			plant: annotate(func(a object) { a["title"] = "Slug Maker" }),
		},
		{
			Name: "presentation-hints-typed", What: "readOnlyHint is the string \"true\".",
			Checks: ids("presentation/hints-typed"), Collateral: append(ids("presentation/hints-complete"), collateral...),
			plant: annotate(func(a object) { a["readOnlyHint"] = "true" }),
		},
		{
			Name: "presentation-hints-contradict", What: "A tool says that it only reads and that it destroys.",
			Checks: ids("presentation/hints-contradict"), Collateral: ids("host-*"),
			plant: annotate(func(a object) { a["destructiveHint"] = true }),
		},
		{
			Name: "presentation-hints-complete", What: "A tool leaves openWorldHint out.",
			Checks: ids("presentation/hints-complete"), Collateral: ids("host-*"),
			plant: annotate(func(a object) { delete(a, "openWorldHint") }),
		},
		{
			Name: "presentation-label-shown", What: "The title that clients show is the bare name of the tool.",
			Checks: ids("presentation/label-shown"), Collateral: ids("presentation/*", "host-*"),
			plant: func(b *behaviour) {
				editTool(b, "text_slug", func(t object) { asObject(t["annotations"])["title"] = t["name"] })
			},
		},
	}
}
