package message

import (
	"slices"
	"strconv"
	"strings"
)

// enough is how many faults of one level are looked at. A frame with more is
// wrong all over; the rest adds nothing but work.
const enough = 10_000

// alike is how many faults of one kind (the same place of different list
// entries, the same expectation) are kept; the rest is only counted.
const alike = 4

// collector keeps the faults of one frame within bounds. Faults of level must
// never give way to lesser ones.
type collector struct {
	must, lesser []Fault
	kinds        map[string]*kind
	// told holds the level of what is kept already, by path and expectation.
	told map[string]Level
	// count is how many faults came, by level.
	count map[Level]int
	// only, if set, says that faults of this level are counted in seen and none is kept.
	only Level
	seen int
}

func (c *collector) tally(l Level) {
	if l == c.only {
		c.seen++
	}
}

// kind counts the faults of one kind; at is the index of the newest one kept.
type kind struct{ count, at int }

// full counts a fault and says that no more of its level are wanted.
func (c *collector) full(l Level) bool {
	if c.count == nil {
		c.count, c.kinds, c.told = map[Level]int{}, map[string]*kind{}, map[string]Level{}
	}
	c.count[l]++
	return c.count[l] > enough
}

func (c *collector) add(f Fault) {
	place := f.Path + "\x00" + f.Expected
	if l, found := c.told[place]; found && rank(l) >= rank(f.Level) {
		return
	}
	list := &c.must
	if f.Level != Must {
		list = &c.lesser
	}
	key := string(f.Level) + "\x00" + general(f.Path) + "\x00" + f.Expected
	k := c.kinds[key]
	room := len(*list) < MaxFaults
	switch {
	case k == nil && room:
		k = &kind{}
		c.kinds[key] = k
	case k == nil:
		return
	}
	k.count++
	if k.count > alike || !room {
		(*list)[k.at].More++
		return
	}
	c.told[place] = f.Level
	*list = append(*list, f)
	k.at = len(*list) - 1
}

// faults returns at most MaxFaults faults, musts first. A place that breaks a
// must is not told again for a lesser rule.
func (c *collector) faults() []Fault {
	broken := map[string]bool{}
	for _, f := range c.must {
		broken[f.Path] = true
	}
	all := slices.Clone(c.must)
	for _, f := range c.lesser {
		if !broken[f.Path] && len(all) < MaxFaults {
			all = append(all, f)
		}
	}
	return all
}

// general returns a path with every index replaced by [].
func general(path string) string {
	if !strings.Contains(path, "[") {
		return path
	}
	var b strings.Builder
	for i := 0; i < len(path); i++ {
		b.WriteByte(path[i])
		if path[i] == '[' {
			for i+1 < len(path) && path[i+1] >= '0' && path[i+1] <= '9' {
				i++
			}
		}
	}
	return b.String()
}

// step is one step of a JSON path: a key, or an index when key is nil.
type step struct {
	key   *string
	index int
}

// maxPath bounds a path, in bytes.
const maxPath = 300

// pathOf writes a path as in JavaScript: dots for plain keys, brackets for the rest.
// Long keys and long paths are cut.
func pathOf(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		if b.Len() > maxPath {
			return cut(b.String(), maxPath)
		}
		switch {
		case s.key == nil:
			b.WriteString("[" + strconv.Itoa(s.index) + "]")
		case plain(*s.key):
			if b.Len() > 0 {
				b.WriteByte('.')
			}
			b.WriteString(*s.key)
		default:
			b.WriteString("[" + quote(cut(*s.key, 60)) + "]")
		}
	}
	return b.String()
}

func plain(key string) bool {
	if key == "" || len(key) > 60 || key[0] >= '0' && key[0] <= '9' {
		return false
	}
	for i := range len(key) {
		if !isAlnum(key[i]) && key[i] != '_' && key[i] != '$' {
			return false
		}
	}
	return true
}
