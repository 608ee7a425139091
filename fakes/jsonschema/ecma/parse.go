package ecma

import (
	"fmt"
	"strconv"
	"strings"
)

// SyntaxError is a fault in a regular expression, in the words of V8.
type SyntaxError struct {
	Pattern string
	// Unicode tells that the pattern was read with the u flag.
	Unicode bool
	Reason  string
}

func (e *SyntaxError) Error() string {
	flags := ""
	if e.Unicode {
		flags = "u"
	}
	return fmt.Sprintf("Invalid regular expression: /%s/%s: %s", e.Pattern, flags, e.Reason)
}

// maxDepth bounds the nesting of groups, maxProperties the uses of \p, each of which
// stands for hundreds of ranges.
const (
	maxDepth      = 250
	maxProperties = 64
)

// Parse reads a regular expression, with the u flag or without. Either way a code
// point above U+FFFF counts as one, which V8 does only with the flag. The error is a
// *SyntaxError, or one that wraps ErrUnsupported.
func Parse(pattern string, unicodeMode bool) (root *Node, err error) {
	p := &parser{source: []rune(pattern), unicode: unicodeMode}
	p.countGroups()
	defer func() {
		switch fault := recover().(type) {
		case nil:
		case reason:
			root, err = nil, &SyntaxError{pattern, unicodeMode, string(fault)}
		case unsupported:
			root, err = nil, fmt.Errorf("%w: %s", ErrUnsupported, string(fault))
		default:
			panic(fault)
		}
	}()
	root = p.disjunction(0)
	if p.more() {
		panic(reason("Unmatched ')'"))
	}
	for _, ref := range p.named {
		index, ok := p.names[ref.name]
		if !ok {
			panic(reason("Invalid named capture referenced"))
		}
		ref.node.Index = index
	}
	return root, nil
}

type reason string
type unsupported string

type parser struct {
	source  []rune
	at      int
	unicode bool
	// groups counts the capturing groups of the whole pattern, hasNames tells
	// whether one has a name; both are known before parsing.
	groups   int
	hasNames bool
	started  int
	// properties counts the uses of \p.
	properties int
	names      map[string]int
	named      []namedRef
}

type namedRef struct {
	node *Node
	name string
}

// countGroups looks ahead for capturing groups: whether \1 or \k is a reference
// depends on what follows.
func (p *parser) countGroups() {
	inClass := false
	for i := 0; i < len(p.source); i++ {
		switch p.source[i] {
		case '\\':
			i++
		case '[':
			inClass = true
		case ']':
			inClass = false
		case '(':
			if inClass {
				continue
			}
			rest := string(p.source[i+1 : min(len(p.source), i+4)])
			if !strings.HasPrefix(rest, "?") {
				p.groups++
				continue
			}
			if strings.HasPrefix(rest, "?<") && !strings.HasPrefix(rest, "?<=") && !strings.HasPrefix(rest, "?<!") {
				p.groups++
				p.hasNames = true
			}
		}
	}
}

func (p *parser) more() bool { return p.at < len(p.source) }

func (p *parser) peek(ahead int) rune {
	if p.at+ahead < len(p.source) {
		return p.source[p.at+ahead]
	}
	return -1
}

func (p *parser) accept(text string) bool {
	for i, r := range []rune(text) {
		if p.peek(i) != r {
			return false
		}
	}
	p.at += len(text)
	return true
}

func (p *parser) disjunction(depth int) *Node {
	if depth > maxDepth {
		panic(unsupported("groups nest too deep"))
	}
	either := &Node{Op: Either, Kids: []*Node{p.alternative(depth)}}
	for p.accept("|") {
		either.Kids = append(either.Kids, p.alternative(depth))
	}
	if len(either.Kids) == 1 {
		return either.Kids[0]
	}
	return either
}

func (p *parser) alternative(depth int) *Node {
	concat := &Node{Op: Concat}
	for p.more() && p.peek(0) != '|' && p.peek(0) != ')' {
		node, repeatable := p.term(depth)
		if repeatable {
			node = p.quantified(node)
		}
		concat.Kids = append(concat.Kids, node)
	}
	switch len(concat.Kids) {
	case 0:
		return &Node{Op: Empty}
	case 1:
		return concat.Kids[0]
	}
	return concat
}

// term reads one assertion or atom, and tells whether a quantifier may follow.
func (p *parser) term(depth int) (*Node, bool) {
	r := p.source[p.at]
	switch r {
	case '*', '+', '?':
		panic(reason("Nothing to repeat"))
	case '^':
		p.at++
		return &Node{Op: Start}, false
	case '$':
		p.at++
		return &Node{Op: End}, false
	case '(':
		return p.group(depth), true
	case '[':
		p.at++
		return &Node{Op: Char, Set: p.class()}, true
	case '.':
		p.at++
		return &Node{Op: Char, Set: invert(lines())}, true
	case '\\':
		return p.escape()
	case '{':
		if _, _, ok := p.interval(); ok {
			panic(reason("Nothing to repeat"))
		}
		fallthrough
	case '}', ']':
		if p.unicode {
			panic(reason("Lone quantifier brackets"))
		}
	}
	p.at++
	return &Node{Op: Char, Set: single(r)}, true
}

func (p *parser) group(depth int) *Node {
	p.at++
	node, name := &Node{Op: Group}, ""
	switch {
	case p.accept("?:"):
	case p.accept("?="):
		node.Op = Look
	case p.accept("?!"):
		node.Op, node.Negate = Look, true
	case p.accept("?<="):
		node.Op, node.Behind = Look, true
	case p.accept("?<!"):
		node.Op, node.Behind, node.Negate = Look, true, true
	case p.accept("?<"):
		p.started++
		node.Index = p.started
		name = p.groupName()
	case p.accept("?"):
		panic(reason("Invalid group"))
	default:
		p.started++
		node.Index = p.started
	}
	node.Kids = []*Node{p.disjunction(depth + 1)}
	if !p.accept(")") {
		panic(reason("Unterminated group"))
	}
	if name != "" {
		p.register(name, node.Index)
	}
	return node
}

// register notes a group's name. V8 does so where the group ends.
func (p *parser) register(name string, index int) {
	if _, twice := p.names[name]; twice {
		panic(reason("Duplicate capture group name"))
	}
	if p.names == nil {
		p.names = map[string]int{}
	}
	p.names[name] = index
}

// groupName reads a name up to and with ">".
func (p *parser) groupName() string {
	var name []rune
	start, more := idStart(), []rune{'$', 0x200C, 0x200D}
	rest, _ := binary("ID_Continue")
	for {
		if !p.more() {
			panic(reason("Invalid capture group name"))
		}
		r := p.source[p.at]
		p.at++
		if r == '>' && len(name) > 0 {
			return string(name)
		}
		if r == '\\' {
			if p.peek(0) != 'u' {
				panic(reason("Invalid Unicode escape"))
			}
			p.at++
			escaped, ok := p.unicodeEscape(true)
			if !ok {
				panic(reason("Invalid Unicode escape"))
			}
			r = escaped
		}
		ok := r == '$' || r == '_' || start.Contains(r)
		if len(name) > 0 {
			ok = ok || rest.Contains(r) || r == more[1] || r == more[2]
		}
		if !ok {
			panic(reason("Invalid capture group name"))
		}
		name = append(name, r)
	}
}

// quantified reads the quantifier after an atom, if there is one.
func (p *parser) quantified(atom *Node) *Node {
	repeat := &Node{Op: Repeat, Kids: []*Node{atom}}
	switch p.peek(0) {
	case '*':
		repeat.Min, repeat.Max = 0, Unbounded
		p.at++
	case '+':
		repeat.Min, repeat.Max = 1, Unbounded
		p.at++
	case '?':
		repeat.Min, repeat.Max = 0, 1
		p.at++
	case '{':
		low, high, ok := p.interval()
		if !ok {
			if p.unicode {
				panic(reason("Incomplete quantifier"))
			}
			return atom
		}
		if high < low {
			panic(reason("numbers out of order in {} quantifier"))
		}
		repeat.Min, repeat.Max = low, high
	default:
		return atom
	}
	repeat.Lazy = p.accept("?")
	if atom.Op == Look && (p.unicode || atom.Behind) {
		panic(reason("Invalid quantifier"))
	}
	return repeat
}

// interval reads {n}, {n,} or {n,m}; without one it stays where it is.
func (p *parser) interval() (low, high int, ok bool) {
	start := p.at
	p.at++
	low, ok = p.number()
	high = low
	if ok && p.accept(",") {
		high = Unbounded
		if p.peek(0) != '}' {
			high, ok = p.number()
		}
	}
	if !ok || !p.accept("}") {
		p.at = start
		return 0, 0, false
	}
	return low, high, true
}

// number reads decimal digits; large numbers saturate.
func (p *parser) number() (int, bool) {
	start := p.at
	for p.peek(0) >= '0' && p.peek(0) <= '9' {
		p.at++
	}
	if start == p.at {
		return 0, false
	}
	n, err := strconv.Atoi(string(p.source[start:p.at]))
	if err != nil || n > Unbounded {
		n = Unbounded
	}
	return n, true
}
