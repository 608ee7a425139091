package sample

// promptArgument is one argument of a prompt with the values that complete it.
type promptArgument struct {
	name, title, description string
	required                 bool
	values                   []string
}

type prompt struct {
	name, title, description string
	arguments                []promptArgument
	messages                 func(s *Server, args object) list
}

func rightPrompts() []prompt {
	return []prompt{
		{
			name: "explain_word", title: "Explain a Word", description: "Asks for a short explanation of a word.",
			arguments: []promptArgument{
				{name: "word", title: "Word", description: "Word to explain", required: true, values: wordList("en")},
				{name: "tone", title: "Tone", description: "How to say it", values: []string{"plain", "playful", "precise"}},
			},
			messages: func(_ *Server, args object) list {
				ask := "Explain the word " + quoted(text(args, "word", "")) + " in two sentences, in a " + visible(text(args, "tone", "plain")) + " tone."
				return list{object{"role": "user", "content": textBlock(ask)}}
			},
		},
		{
			name: "tea_break", title: "Tea Break", description: "Asks for a tea from the menu.",
			messages: func(s *Server, _ object) list {
				return list{
					object{"role": "user", "content": object{"type": "resource", "resource": s.contents(menuURI)}},
					object{"role": "user", "content": textBlock("Pick a tea for me from this menu and say why.")},
				}
			},
		},
	}
}

func listPrompts(x *exchange) (object, *failure) {
	entries := list{}
	for _, p := range x.srv.prompts {
		o := object{"name": p.name, "title": p.title, "description": p.description}
		if len(p.arguments) > 0 {
			args := list{}
			for _, a := range p.arguments {
				args = append(args, object{"name": a.name, "title": a.title, "description": a.description, "required": a.required})
			}
			o["arguments"] = args
		}
		entries = append(entries, o)
	}
	for _, edit := range x.srv.do.listing.prompts {
		entries = edit(x, entries)
	}
	return x.page("prompts", entries, 0)
}

func (s *Server) prompt(name string) *prompt {
	for i := range s.prompts {
		if s.prompts[i].name == name {
			return &s.prompts[i]
		}
	}
	return nil
}

func getPrompt(x *exchange) (object, *failure) {
	name, ok := x.params["name"].(string)
	if !ok {
		return nil, fail(codeInvalidParams, "name must be a string")
	}
	p := x.srv.prompt(name)
	if p == nil {
		return x.srv.do.prompts.unknown(x, name)
	}
	args, f := readArguments(x.params["arguments"])
	if f != nil {
		return nil, f
	}
	if f := x.srv.do.prompts.validate(p, args); f != nil {
		return nil, f
	}
	return object{"description": p.description, "messages": p.messages(x.srv, args)}, nil
}

func unknownPrompt(_ *exchange, name string) (object, *failure) {
	return nil, fail(codeInvalidParams, "Unknown prompt: "+quoted(bounded(name, maxEcho)))
}

// validatePrompt wants every required argument, and a string for each one given.
func validatePrompt(p *prompt, args object) *failure {
	for _, a := range p.arguments {
		v, given := args[a.name]
		if _, isString := v.(string); given && !isString {
			return fail(codeInvalidParams, "Argument "+a.name+" must be a string")
		}
		if !given && a.required {
			return fail(codeInvalidParams, "Argument "+a.name+" is required")
		}
	}
	return nil
}
