package scenarios

func hostDirectoryCases() []hostCase {
	const three = `"annotations":{"readOnlyHint":true,"destructiveHint":false,"openWorldHint":false}`
	const gpt, claude, apart, said = "host-chatgpt/hints-required", "host-claude-ai/hints-required", "host-claude-ai/read-write-apart", "host-chatgpt/read-only-said"
	choice := func(name, values string) string { return withProperty(name, `{"type":"string","enum":[`+values+`]}`) }
	return []hostCase{
		{check: gpt, name: "all three", tools: oneTool("a", three), want: "pass"},
		{check: gpt, name: "one missing", tools: oneTool("a", `"annotations":{"readOnlyHint":true,"openWorldHint":false}`), want: "no destructiveHint"},
		{check: claude, name: "title and hint", tools: oneTool("a", `"title":"A","annotations":{"readOnlyHint":true}`), want: "pass"},
		{check: claude, name: "title in the annotations", tools: oneTool("a", `"annotations":{"title":"A","destructiveHint":false}`), want: "pass"},
		{check: claude, name: "no title", tools: oneTool("a", three), want: "no title"},
		{check: claude, name: "no hint", tools: oneTool("a", `"title":"A"`), want: "no readOnlyHint or destructiveHint"},
		{check: apart, name: "reading alone", tools: choice("action", `"get","list"`), want: "pass"},
		{check: apart, name: "both", tools: choice("action", `"get_item","delete_item"`), want: "action chooses between get_item and delete_item"},
		{check: apart, name: "words of another kind", tools: choice("color", `"get","delete"`), want: "pass"},
		{check: apart, name: "words that begin alike", tools: choice("mode", `"gettysburg","deleterious"`), want: "pass"},
		{check: said, name: "said", tools: oneTool("get_user", three), want: "pass"},
		{check: said, name: "denied", tools: oneTool("get_user", `"annotations":{"readOnlyHint":false}`), want: "pass"},
		{check: said, name: "left out", tools: oneTool("getUser", ""), want: "no readOnlyHint"},
		{check: said, name: "left out of a name in parts", tools: oneTool("get_user", ""), want: "no readOnlyHint"},
		{check: "host-any/no-steering", name: "plain", tools: oneTool("best_before_date", `"description":"Use this tool first thing in the morning. Other tools use it to call the bestiary."`), want: "the name"},
		{check: "host-any/no-steering", name: "words of their own", tools: oneTool("officially_open", `"description":"When to use this tool: first call list_files, then this one. Call this first to see pages."`), want: "pass"},
		{check: "host-any/no-steering", name: "pressing", tools: oneTool("a", `"description":"Always use this tool for mail."`), want: "the description says Always use this tool"},
		{check: "host-any/no-steering", name: "against others", tools: oneTool("a", `"description":"Sends mail. Do not use other tools for it."`), want: "Do not use other tools"},
		{check: said, name: "other names", tools: oneTool("getaway", ""), want: "na"},
	}
}
