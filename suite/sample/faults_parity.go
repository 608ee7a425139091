package sample

// parityFaults make one era or transport say other things than the other.
func parityFaults() []Fault {
	return []Fault{
		{
			Name: "parity-listing-across-revisions", What: "A tool has another description in 2026-07-28.",
			Checks: ids("parity/listing-across-revisions"), Collateral: ids("listing/same-everywhere", "listing/as-written"),
			plant: func(b *behaviour) {
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					if x.modern {
						asObject(entries[0])["description"] = "Makes a slug of a title."
					}
					return entries
				})
			},
		},
		{
			Name: "parity-texts-across-revisions", What: "A failed call has other words in 2026-07-28.",
			Checks: ids("parity/texts-across-revisions"), Collateral: ids("thrown-error/wording"),
			plant: func(b *behaviour) {
				b.calls.thrown = func(c *call, err error) (object, *failure) {
					if c.modern {
						return errorText(c.tool.name + " did not work: " + visible(err.Error())), nil
					}
					return thrown(c, err)
				}
			},
		},
		{
			Name: "parity-texts-across-revisions-success", What: "A successful call has other words in 2026-07-28.",
			Checks: ids("parity/texts-across-revisions"),
			plant: func(b *behaviour) {
				editCall(b, "text_slug", func(x *exchange, r object) {
					if x.modern {
						firstText(r)["text"] = "Slug: " + asString(firstText(r)["text"])
					}
				})
			},
		},
		{
			Name: "parity-listing-across-transports", What: "A tool has another title over HTTP.",
			Checks: ids("parity/listing-across-transports"), Collateral: ids("listing/same-everywhere", "listing/as-written"), NeedsBoth: true,
			plant: func(b *behaviour) {
				b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
					if t := asObject(entries[0]); x.overHTTP() {
						t["title"] = "Slug"
						asObject(t["annotations"])["title"] = "Slug"
					}
					return entries
				})
			},
		},
		{
			Name: "parity-question-across-eras", What: "A question has other words in 2026-07-28.",
			Checks: ids("parity/question-across-eras"), Shows: ids("elicitation", "input-required"),
			plant: func(b *behaviour) {
				b.asking.pose = func(c *call, q question) question {
					if c.modern {
						q.message = "Please choose."
					}
					return q
				}
			},
		},
	}
}
