package sample

import "strings"

// maxCompletions is the most values that one answer may hold.
const maxCompletions = 100

func complete(x *exchange) (object, *failure) {
	ref, argument := asObject(x.params["ref"]), asObject(x.params["argument"])
	name, hasName := argument["name"].(string)
	value, hasValue := argument["value"].(string)
	if ref == nil || !hasName || !hasValue {
		return nil, fail(codeInvalidParams, "ref and argument, with name and value, are needed")
	}
	values, f := x.srv.do.completion.values(x.srv, ref, name)
	if f != nil {
		return nil, f
	}
	found := list{}
	for _, v := range values {
		if strings.HasPrefix(v, value) {
			found = append(found, v)
		}
	}
	total := len(found)
	found = found[:min(total, maxCompletions)]
	return object{"completion": object{"values": found, "total": total, "hasMore": total > len(found)}}, nil
}

// completionValues finds what an argument of a prompt or a template may be.
func completionValues(s *Server, ref object, argument string) ([]string, *failure) {
	switch ref["type"] {
	case "ref/prompt":
		p := s.prompt(asString(ref["name"]))
		if p == nil {
			return nil, fail(codeInvalidParams, "Unknown prompt")
		}
		for _, a := range p.arguments {
			if a.name == argument {
				return a.values, nil
			}
		}
		return nil, fail(codeInvalidParams, "The prompt has no such argument")
	case "ref/resource":
		switch asString(ref["uri"]) + " " + argument {
		case "sample://tea/{time} time":
			return []string{"morning", "night", "noon"}, nil
		case "sample://shape/{shape} shape":
			return []string{"circle", "square"}, nil
		}
		return nil, fail(codeInvalidParams, "Unknown resource template or variable")
	}
	return nil, fail(codeInvalidParams, "ref.type must be ref/prompt or ref/resource")
}
