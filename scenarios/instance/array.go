package instance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

var errSize = errors.New("it asks for more items or members than are made")

// array makes an array: the items of a tuple, then as many as are needed. One item
// is better than none where the schema leaves that open.
func (g *generator) array(path string, s shape, depth int) (string, error) {
	least, _ := s.largest("minItems")
	most, limited := s.smallest("maxItems")
	prefix := s.prefix()
	needed := g.contained(s)
	size := max(least, len(prefix), needed)
	if size == 0 && s.hasItems() && depth < maxOptional {
		size = 1 - g.choose(path+"[]", 2)
	}
	if limited {
		size = min(size, most)
	}
	if least > maxItems {
		return "", fmt.Errorf("%s: %w", place(path), errSize)
	}
	size = min(size, maxItems)
	var items []string
	for i := range size {
		item, err := g.item(path, s, i, i < needed, depth, items)
		if err != nil && i >= max(least, needed) {
			break
		}
		if err != nil {
			return "", err
		}
		items = append(items, item)
	}
	return "[" + strings.Join(items, ",") + "]", nil
}

// prefix gives the longest list of schemas for first items.
func (s shape) prefix() []gjson.Result {
	var longest []gjson.Result
	for _, keyword := range []string{"prefixItems", "items"} {
		for _, v := range s.all(keyword) {
			if list := v.Array(); v.IsArray() && len(list) > len(longest) {
				longest = list
			}
		}
	}
	return longest
}

func (s shape) hasItems() bool {
	return slices.ContainsFunc(s.all("items"), func(v gjson.Result) bool { return v.Type != gjson.False })
}

// contained tells how many items must be of the kind that contains asks for.
func (g *generator) contained(s shape) int {
	if len(s.all("contains")) == 0 {
		return 0
	}
	if n, ok := s.largest("minContains"); ok {
		return n
	}
	return 1
}

// item makes one item, different from those before it where it has to be.
func (g *generator) item(path string, s shape, i int, contained bool, depth int, before []string) (string, error) {
	schemas := s.itemSchemas(i)
	if contained {
		schemas = append(schemas, s.all("contains")...)
	}
	unique := slices.ContainsFunc(s.all("uniqueItems"), func(v gjson.Result) bool { return v.Bool() })
	turn := g.turn
	defer func() { g.turn = turn }()
	for try := 0; ; try++ {
		if unique {
			g.turn = turn + i + try
		}
		raw, err := g.value(path+"/"+itoa(i), schemas, depth+1)
		if err != nil || !unique || !slices.Contains(before, raw) || try > maxItems {
			return raw, err
		}
	}
}

func (s shape) itemSchemas(i int) []gjson.Result {
	var schemas []gjson.Result
	for _, node := range s.nodes {
		items, prefix := s.doc.member(node, "items"), s.doc.member(node, "prefixItems").Array()
		rest := items
		if items.IsArray() {
			prefix, rest = items.Array(), s.doc.member(node, "additionalItems")
		}
		switch {
		case i < len(prefix):
			schemas = append(schemas, prefix[i])
		case rest.Exists():
			schemas = append(schemas, rest)
		}
	}
	return schemas
}
