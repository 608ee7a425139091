package sample

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// integer reads a whole number that the schema has checked, or a default.
func integer(args object, key string, otherwise int) int {
	n, ok := args[key].(json.Number)
	if !ok {
		return otherwise
	}
	if i, err := strconv.Atoi(string(n)); err == nil {
		return i
	}
	f, err := n.Float64() // 2e1 is a whole number too
	if err != nil {
		return otherwise
	}
	return int(f)
}

func text(args object, key, otherwise string) string {
	if s, ok := args[key].(string); ok {
		return s
	}
	return otherwise
}

func runSlug(_ *call, args object) (outcome, error) {
	words := strings.FieldsFunc(strings.ToLower(text(args, "text", "")), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r)
	})
	words = words[:min(len(words), integer(args, "words", 20))]
	return said(strings.Join(words, text(args, "separator", "-"))), nil
}

func runEcho(_ *call, args object) (outcome, error) {
	times := integer(args, "times", 1)
	return said(strings.TrimSuffix(strings.Repeat(text(args, "text", "")+" ", times), " ")), nil
}

func runLookup(_ *call, args object) (outcome, error) {
	word := text(args, "word", "")
	vowels := 0
	for _, r := range strings.ToLower(word) {
		if strings.ContainsRune("aeiou", r) {
			vowels++
		}
	}
	known := false
	for _, w := range wordList(text(args, "language", "en")) {
		known = known || strings.EqualFold(w, word)
	}
	known = known && len(word) >= integer(args, "shortest", 1)
	return outcome{
		content: list{textBlock(fmt.Sprintf("%s has %d letters, %d of them vowels. Known word: %t.", word, len(word), vowels, known))},
		details: object{"word": word, "letters": num(len(word)), "vowels": num(vowels), "known": known},
	}, nil
}

func wordList(language string) []string {
	if language == "de" {
		return []string{"Hafen", "Tee", "Tasse", "Brot"}
	}
	return []string{"harbour", "tea", "cup", "bread"}
}

// num is a whole number as the decoder would give it, so that details can be checked like input.
func num(n int) json.Number { return json.Number(strconv.Itoa(n)) }

// runCount tells its progress before each pause: some clients lose a
// notification that arrives together with the answer.
func runCount(c *call, args object) (outcome, error) {
	to, pause := integer(args, "to", 3), time.Duration(integer(args, "pause_ms", 10))*time.Millisecond
	for i := 1; i <= to; i++ {
		c.progress(i, to, fmt.Sprintf("counted %d of %d", i, to))
		if err := c.pause(pause); err != nil {
			return outcome{}, err
		}
	}
	c.srv.counted(to)
	return said(fmt.Sprintf("Counted to %d.", to)), nil
}

func runTea(c *call, args object) (outcome, error) {
	when := text(args, "time", "")
	got, err := c.ask(question{
		key:     "strength",
		message: "How strong may the tea at " + when + " be?",
		form: object{"type": "object", "properties": object{
			"strength": object{"type": "string", "title": "Strength", "description": "How strong the tea may be", "enum": list{"mild", "strong"}},
		}, "required": list{"strength"}},
	})
	if err != nil {
		return outcome{}, err
	}
	if stop, over := got.refused("No advice"); over {
		return stop, nil
	}
	strength := text(got.content, "strength", "mild")
	return said(fmt.Sprintf("At %s, %s: %s.", when, strength, teaFor(when, strength))), nil
}

func teaFor(when, strength string) string {
	if strength == "strong" {
		return map[string]string{"morning": "assam", "noon": "black tea", "night": "rooibos"}[when]
	}
	return map[string]string{"morning": "green tea", "noon": "white tea", "night": "camomile"}[when]
}

func runGift(c *call, args object) (outcome, error) {
	person := text(args, "person", "")
	got, err := c.ask(question{
		key:     "budget",
		message: "How much may a gift for " + visible(person) + " cost?",
		form: object{"type": "object", "properties": object{
			"budget":  object{"type": "integer", "title": "Budget", "description": "Most it may cost", "minimum": 1, "maximum": 500},
			"wrapped": object{"type": "boolean", "title": "Wrapped", "description": "Whether it comes wrapped", "default": false},
		}, "required": list{"budget"}},
	})
	if err != nil {
		return outcome{}, err
	}
	if stop, over := got.refused("No gift"); over {
		return stop, nil
	}
	budget := integer(got.content, "budget", 20)
	gift := "a book"
	if budget >= 50 {
		gift = "a teapot"
	}
	if got.content["wrapped"] == true {
		gift += ", wrapped"
	}
	return said(fmt.Sprintf("For %s, up to %d: %s.", visible(person), budget, gift)), nil
}

func runDivide(_ *call, args object) (outcome, error) {
	number, by := integer(args, "number", 0), integer(args, "by", 1)
	if by == 0 {
		// The message is as careless as those of real libraries; the server has to tidy it.
		return outcome{}, errors.New("cannot divide " + strconv.Itoa(number) + " by zero\n\x1b[31mby must not be 0\x1b[0m")
	}
	q, r := number/by, number%by
	return outcome{
		content: list{textBlock(fmt.Sprintf("%d divided by %d is %d, remainder %d.", number, by, q, r))},
		details: object{"quotient": num(q), "remainder": num(r)},
	}, nil
}

func runTide(_ *call, args object) (outcome, error) {
	harbour := text(args, "harbour", "")
	level, rising := 312, true
	if harbour == "south" {
		level, rising = 287, false
	}
	o := outcome{
		content: list{textBlock(fmt.Sprintf("Harbour %s: %d cm, rising: %t.", harbour, level, rising))},
		details: object{"harbour": harbour, "level_cm": num(level), "rising": rising},
	}
	if harbour == "old" {
		o.details = object{"harbour": harbour, "level_cm": "high", "gauge": "broken"}
	}
	return o, nil
}

func runParcel(_ *call, args object) (outcome, error) {
	parcel := asObject(args["parcel"])
	box := asObject(parcel["box"])
	volume := integer(box, "length", 1) * integer(box, "width", 1) * integer(box, "height", 1)
	price := 300 + integer(parcel, "weight_g", 0)/10 + volume/100
	var names []string
	cities := list{}
	for _, stop := range asList(args["stops"]) {
		s := asObject(stop)
		price += 150
		if s["insured"] == true {
			price += 200
		}
		names = append(names, text(s, "city", ""))
		cities = append(cities, s["city"])
	}
	return outcome{
		content: list{textBlock(fmt.Sprintf("Sending it to %s costs %d cents.", strings.Join(names, ", "), price))},
		details: object{"price_cents": num(price), "cities": cities},
	}, nil
}

func runDraw(c *call, args object) (outcome, error) {
	shape := text(args, "shape", "")
	uri := shapeURI(shape)
	picture := object{
		"type": "image", "data": base64.StdEncoding.EncodeToString(drawing(shape)), "mimeType": "image/png",
		"annotations": object{"audience": list{"user"}, "priority": 0.5},
	}
	if c.srv.do.capabilities(c.exchange)["resources"] == nil { // nobody could follow a link
		return outcome{content: list{textBlock("A small " + shape + "."), picture}}, nil
	}
	link := object{
		"type": "resource_link", "uri": uri, "name": shape, "title": "Picture of a " + shape,
		"description": "The same picture as a resource.", "mimeType": "image/png",
	}
	if !c.knows("2025-06-18") { // the revisions before have no links
		link = object{"type": "resource", "resource": c.srv.contents(uri)}
	}
	return outcome{content: list{textBlock("A small " + shape + ", also at " + uri + "."), picture, link}}, nil
}

func shapeURI(shape string) string { return "sample://shape/" + shape }

// drawing is a small picture, the same for the same shape.
func drawing(shape string) []byte {
	const size = 16
	img := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{color.White, color.RGBA{0x20, 0x60, 0xa0, 0xff}})
	for y := range size {
		for x := range size {
			dx, dy := 2*x-size+1, 2*y-size+1
			inside := dx*dx+dy*dy <= (size-3)*(size-3)
			if shape == "square" {
				inside = x > 1 && x < size-2 && y > 1 && y < size-2
			}
			if inside {
				img.SetColorIndex(x, y, 1)
			}
		}
	}
	var b bytes.Buffer
	if err := png.Encode(&b, img); err != nil {
		panic(fmt.Sprintf("sample: cannot draw: %v", err)) // a buffer takes everything
	}
	return b.Bytes()
}
