package scenarios

import (
	"strings"

	"github.com/tidwall/gjson"
)

// hostGeminiChecks are the checks on input schemas where clients hand them to
// the Gemini interface unchanged. Gemini CLI itself rewrites them.
func hostGeminiChecks() []Check {
	const why = "The Gemini interface refuses the whole request in clients that hand the schema on as it is; Zed and opencode were reported to."
	return []Check{
		{
			ID: "host-gemini/type-arrays", Claim: "Each schema names one type, as Gemini functions ask.", Level: Host, Source: MultipleReports,
			Why:    why,
			Remedy: `Leave the property optional instead of allowing null, or write anyOf with one type each.`,
			Basis:  []string{"zed-industries/zed#44875", "sst/opencode#12295"},
			Hosts:  rawToGemini(), Judge: judgeTypeArrays,
		},
		{
			ID: "host-gemini/ref-siblings", Claim: "$ref stands alone in its schema, as Gemini functions ask.", Level: Host, Source: MultipleReports,
			Why:    why,
			Remedy: "Write the schema in place of the $ref, or move what stands beside it into the definition.",
			Basis:  []string{"zed-industries/zed#44875", "sst/opencode#12295"},
			Hosts:  rawToGemini(), Judge: judgeRefSiblings,
		},
		{
			ID: "host-gemini/boolean-subschemas", Claim: "Properties have schema objects, not true or false.", Level: Host, Source: Inferred,
			Why:    "The Gemini interface knows no boolean schemas. Clients on older SDKs lose the whole list over one.",
			Remedy: "Write {} for any value, better a type.",
			Basis:  []string{"inferred from the schema objects of the Gemini interface"},
			Hosts:  rawToGemini(), Judge: judgeBooleanSchemas,
		},
	}
}

func judgeTypeArrays(e *Evidence) Ruling {
	return e.eachInput(func(p string, s gjson.Result) []Fault {
		t := s.Get("type")
		return one(s.IsObject() && t.IsArray() && len(t.Array()) > 1, "one type", p+"/type is "+short(t.Raw, 100))
	})
}

func judgeRefSiblings(e *Evidence) Ruling {
	return e.eachInput(func(p string, s gjson.Result) []Fault {
		if !s.IsObject() || s.Get("$ref").Type != gjson.String {
			return nil
		}
		var beside []string
		s.ForEach(func(k, _ gjson.Result) bool {
			if !strings.HasPrefix(k.Str, "$") {
				beside = append(beside, short(k.Str, 40))
			}
			return true
		})
		return one(len(beside) > 0, "$ref alone", p+" has $ref beside "+strings.Join(beside, ", "))
	})
}

func judgeBooleanSchemas(e *Evidence) Ruling {
	return e.eachInput(func(p string, s gjson.Result) []Fault {
		parts := strings.Split(p, "/")
		property := len(parts) > 2 && parts[len(parts)-2] == "properties"
		return one(property && s.IsBool(), "a schema object", p+" is "+s.Raw)
	})
}
