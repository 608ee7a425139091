package readers

import (
	"unicode/utf8"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers/internal/js"
)

// validReader makes all texts of a reader valid UTF-8. JavaScript strings may
// hold lone surrogates; on their way to a model or a screen they become U+FFFD.
type validReader struct{ fakes.Reader }

// Listing reads the pages of tools/list.
func (r validReader) Listing(revision string, pages [][]byte) fakes.Listing {
	l := r.Reader.Listing(revision, pages)
	validAll(&l.Error, &l.Why)
	for i := range l.Tools {
		t := &l.Tools[i]
		validAll(&t.Name, &t.Why, &t.Label, &t.ModelName)
	}
	return l
}

// Call reads an answer to tools/call.
func (r validReader) Call(revision string, tool *fakes.ListedTool, response []byte) fakes.Answer {
	a := r.Reader.Call(revision, tool, response)
	validAll(&a.Error, &a.Text, &a.Why)
	return a
}

func validAll(texts ...*string) {
	for _, t := range texts {
		if utf8.ValidString(*t) {
			continue
		}
		var out []rune
		for _, r := range js.Runes(*t) {
			if r >= 0xD800 && r <= 0xDFFF {
				r = utf8.RuneError
			}
			out = append(out, r)
		}
		*t = string(out)
	}
}
