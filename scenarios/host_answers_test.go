package scenarios

func hostAnswerCases() []hostCase {
	const (
		picture = `{"type":"image","data":"AAAA","mimeType":"image/png"}`
		link    = `{"type":"resource_link","uri":"note://1","name":"one"}`
		file    = `{"type":"resource","resource":{"uri":"note://1","text":"Tea."}}`
		word    = `{"type":"text","text":"See note://1."}`
		hello   = `{"type":"text","text":"Hello."}`
	)
	of := func(check, name, result, want string) hostCase {
		return hostCase{check: check, name: name, tools: oneTool("tool", ""), answers: map[string]string{"tool {}": result}, want: want}
	}
	const preferred, image, links, controls = "host-claude-code/structured-preferred", "host-copilot-cli/image-kept", "host-copilot-cli/link-kept", "host-any/control-characters"
	return []hostCase{
		of(preferred, "text alone", `{"content":[`+word+`],"structuredContent":{"a":1}}`, "pass"),
		of(preferred, "no details", `{"content":[`+picture+`]}`, "unseen"),
		of(preferred, "picture", `{"content":[`+word+`,`+picture+`],"structuredContent":{"a":1}}`, "a picture, which is dropped"),
		of(preferred, "link", `{"content":[`+link+`],"structuredContent":{"a":1}}`, "a link to note://1"),
		of(preferred, "link in the details", `{"content":[`+link+`],"structuredContent":{"uri":"note://1"}}`, "pass"),
		of(preferred, "resource", `{"content":[`+file+`],"structuredContent":{"a":1}}`, "the resource note://1"),
		of(preferred, "resource in the details", `{"content":[`+file+`],"structuredContent":{"text":"Tea."}}`, "pass"),

		of(image, "with a word", `{"content":[`+hello+`,`+picture+`]}`, "pass"),
		of(image, "alone", `{"content":[`+picture+`]}`, "a picture and no word"),
		of(image, "no picture", `{"content":[`+hello+`]}`, "na"),
		{check: image, name: "no call", tools: oneTool("tool", ""), want: "unseen"},

		of(links, "named", `{"content":[`+word+`,`+link+`]}`, "pass"),
		of(links, "in the details", `{"content":[`+link+`],"structuredContent":{"uri":"note://1"}}`, "pass"),
		of(links, "alone", `{"content":[`+hello+`,`+link+`]}`, "1 link that no text names: note://1"),
		of(links, "no link", `{"content":[`+hello+`]}`, "na"),

		of(controls, "breaks and tabs", `{"content":[{"type":"text","text":"a\tb\r\nc"}]}`, "pass"),
		of(controls, "colours", `{"content":[{"type":"text","text":"\u001b[32mgreen"}]}`, "U+001B"),
		{check: controls, name: "echoed", tools: oneTool("tool", ""), answers: map[string]string{`tool {"a":"\u0007"}`: `{"content":[{"type":"text","text":"\u0007"}]}`}, want: "pass"},
		{check: controls, name: "description", tools: oneTool("tool", `"description":"a\u0000b"`), want: "description holds U+0000"},
		{check: controls, name: "instructions", tools: oneTool("tool", ""), opened: `{"instructions":"\u009b31m"}`, want: "U+009B"},
		{check: controls, name: "letters of all kinds", tools: oneTool("tool", `"description":"Grüße, 世界 👩‍🚀"`), want: "pass"},
	}
}
