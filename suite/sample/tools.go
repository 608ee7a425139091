package sample

import "slices"

// tool is one tool as it is listed and as it runs.
type tool struct {
	name, title, description string
	input, output            object
	// examples are arguments that work; they are listed in _meta.inputExamples.
	examples list
	icons    list
	// slow tools may take time and must not hold up the line.
	slow bool
	run  func(c *call, args object) (outcome, error)
}

// outcome is what a tool has to say before it is written as a result.
type outcome struct {
	content list
	// details become structuredContent; nil for a tool without output schema.
	details any
}

// said is an outcome of one sentence.
func said(text string) outcome { return outcome{content: list{textBlock(text)}} }

func textBlock(text string) object { return object{"type": "text", "text": text} }

// schemaOf is an object schema that allows nothing but its properties.
func schemaOf(properties object, required ...string) object {
	s := object{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		names := make(list, len(required))
		for i, r := range required {
			names[i] = r
		}
		s["required"] = names
	}
	return s
}

// listed is the tool as tools/list shows it. All tools of this server only read.
func (t *tool) listed() object {
	o := object{
		"name": t.name, "title": t.title, "description": t.description,
		"inputSchema": clone(t.input),
		"annotations": object{
			"title": t.title, "readOnlyHint": true, "destructiveHint": false,
			"idempotentHint": true, "openWorldHint": false,
		},
		"_meta": object{"inputExamples": clone(t.examples)},
	}
	if t.output != nil {
		o["outputSchema"] = clone(t.output)
	}
	if t.icons != nil {
		o["icons"] = clone(t.icons)
	}
	return o
}

func find(tools []*tool, name string) *tool {
	i := slices.IndexFunc(tools, func(t *tool) bool { return t.name == name })
	if i < 0 {
		return nil
	}
	return tools[i]
}

// freeText keeps control characters out, so that nothing a caller sends is echoed raw.
const freeText = `^[^\x00-\x1f\x7f]*$`

// rightTools are the tools of the server. Their texts say everything that their
// details say, because half of the clients show only one of the two.
func rightTools() []*tool {
	return []*tool{
		{
			name: "text_slug", title: "Make a Slug",
			description: "Turns a title into a slug for a web address: lower case, words joined by a separator.",
			input: schemaOf(object{
				"text":      object{"type": "string", "description": "Title to turn into a slug", "minLength": 1, "maxLength": 200, "pattern": freeText},
				"separator": object{"type": "string", "description": "What joins the words", "enum": list{"-", "_", "."}, "default": "-"},
				"words":     object{"type": "integer", "description": "Most words to keep", "minimum": 1, "maximum": 20},
			}, "text"),
			examples: list{object{"text": "Tea for Two"}, object{"text": "Fish and Chips", "separator": "_", "words": 2}},
			icons:    list{object{"src": iconURI, "mimeType": "image/png", "sizes": list{"16x16"}}},
			run:      runSlug,
		},
		{
			name: "text_echo", title: "Repeat a Text",
			description: "Says a text back, letter by letter.",
			input: schemaOf(object{
				"text":  object{"type": "string", "description": "What to say back", "pattern": freeText},
				"times": object{"type": "integer", "description": "How often to say it", "minimum": 1, "maximum": 5, "default": 1},
			}, "text"),
			examples: list{object{"text": "Grüße, 世界 🍵"}, object{"text": "tick", "times": 3}},
			run:      runEcho,
		},
		{
			name: "word_lookup", title: "Look Up a Word",
			description: "Counts the letters and vowels of a word and says whether the small word list of this server knows it.",
			input: schemaOf(object{
				"word":     object{"type": "string", "description": "Word to look up, letters only", "pattern": "^[A-Za-z]+$", "maxLength": 40},
				"language": object{"type": "string", "description": "Word list to use", "enum": list{"en", "de"}, "default": "en", "x-mcp-header": "Language"},
				"shortest": object{"type": "integer", "description": "Fewest letters a known word has", "minimum": 1, "maximum": 40, "x-mcp-header": "Shortest"},
			}, "word"),
			output: schemaOf(object{
				"word":    object{"type": "string"},
				"letters": object{"type": "integer", "minimum": 0},
				"vowels":  object{"type": "integer", "minimum": 0},
				"known":   object{"type": "boolean"},
			}, "word", "letters", "vowels", "known"),
			examples: list{object{"word": "harbour"}, object{"word": "Hafen", "language": "de", "shortest": 3}},
			run:      runLookup,
		},
		{
			name: "count_up", title: "Count Up",
			description: "Counts from one to a number, with a pause after each, and tells its progress to callers that ask for it.",
			input: schemaOf(object{
				"to":       object{"type": "integer", "description": "Number to count to", "minimum": 1, "maximum": 100, "default": 3},
				"pause_ms": object{"type": "integer", "description": "Pause after each number in milliseconds", "minimum": 1, "maximum": 1000, "default": 10},
			}),
			examples: list{object{"to": 3}, object{"to": 5, "pause_ms": 5}, object{}},
			slow:     true,
			run:      runCount,
		},
		{
			name: "tea_advice", title: "Tea Advice",
			description: "Recommends a tea for a time of day. Asks how strong it may be where the client can show a form, else takes a mild one.",
			input: schemaOf(object{
				"time": object{"type": "string", "description": "When the tea is drunk", "enum": list{"morning", "noon", "night"}},
			}, "time"),
			examples: list{object{"time": "morning"}, object{"time": "noon"}},
			slow:     true,
			run:      runTea,
		},
		{
			name: "gift_idea", title: "Gift Idea",
			description: "Suggests a gift. Asks for the budget where the client can show a form, else takes a small one.",
			input: schemaOf(object{
				"person": object{"type": "string", "description": "Who gets it", "minLength": 1, "maxLength": 60, "pattern": freeText},
			}, "person"),
			examples: list{object{"person": "Ada"}, object{"person": "Bo"}},
			slow:     true,
			run:      runGift,
		},
		{
			name: "number_divide", title: "Divide Numbers",
			description: "Divides one whole number by another. Division by zero fails.",
			input: schemaOf(object{
				"number": object{"type": "integer", "description": "Number to divide", "minimum": -1000000, "maximum": 1000000},
				"by":     object{"type": "integer", "description": "Number to divide by", "minimum": -1000000, "maximum": 1000000},
			}, "number", "by"),
			output: schemaOf(object{
				"quotient":  object{"type": "integer"},
				"remainder": object{"type": "integer"},
			}, "quotient", "remainder"),
			examples: list{object{"number": 7, "by": 2}, object{"number": 100, "by": -8}},
			run:      runDivide,
		},
		{
			name: "tide_level", title: "Tide Level",
			description: "Tells the water level of a harbour. The gauge of the old harbour is broken and its readings are refused.",
			input: schemaOf(object{
				"harbour": object{"type": "string", "description": "Which harbour", "enum": list{"north", "south", "old"}},
			}, "harbour"),
			output: schemaOf(object{
				"harbour":  object{"type": "string"},
				"level_cm": object{"type": "integer"},
				"rising":   object{"type": "boolean"},
			}, "harbour", "level_cm", "rising"),
			examples: list{object{"harbour": "north"}, object{"harbour": "south"}},
			run:      runTide,
		},
		{
			name: "parcel_price", title: "Price of a Parcel",
			description: "Works out what it costs to send a parcel past one or more stops.",
			input: schemaOf(object{
				"parcel": withDescription("What is sent", schemaOf(object{
					"weight_g": object{"type": "integer", "description": "Weight in grams", "minimum": 1, "maximum": 30000},
					"box": withDescription("Outer measures in centimetres", schemaOf(object{
						"length": object{"type": "integer", "minimum": 1, "maximum": 200},
						"width":  object{"type": "integer", "minimum": 1, "maximum": 200},
						"height": object{"type": "integer", "minimum": 1, "maximum": 200},
					}, "length", "width", "height")),
				}, "weight_g", "box")),
				"stops": object{
					"type": "array", "description": "Where it goes, in order", "minItems": 1, "maxItems": 5,
					"items": schemaOf(object{
						"city":    object{"type": "string", "minLength": 1, "maxLength": 60, "pattern": freeText},
						"insured": object{"type": "boolean"},
					}, "city"),
				},
			}, "parcel", "stops"),
			output: schemaOf(object{
				"price_cents": object{"type": "integer", "minimum": 0},
				"cities":      object{"type": "array", "items": object{"type": "string"}},
			}, "price_cents", "cities"),
			examples: list{object{
				"parcel": object{"weight_g": 500, "box": object{"length": 30, "width": 20, "height": 10}},
				"stops":  list{object{"city": "Oslo"}, object{"city": "Riga", "insured": true}},
			}},
			run: runParcel,
		},
		{
			name: "shape_draw", title: "Draw a Shape",
			description: "Draws a small shape as a PNG picture and links to it.",
			input: schemaOf(object{
				"shape": object{"type": "string", "description": "What to draw", "enum": list{"circle", "square"}},
			}, "shape"),
			examples: list{object{"shape": "circle"}, object{"shape": "square"}},
			run:      runDraw,
		},
	}
}

func withDescription(text string, schema object) object {
	schema["description"] = text
	return schema
}
