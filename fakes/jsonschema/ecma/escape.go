package ecma

import "strings"

// escape reads an escape outside a class.
func (p *parser) escape() (*Node, bool) {
	switch next := p.peek(1); next {
	case -1:
		panic(reason(`\ at end of pattern`))
	case 'b', 'B':
		p.at += 2
		return &Node{Op: Boundary, Negate: next == 'B'}, false
	case '1', '2', '3', '4', '5', '6', '7', '8', '9':
		if node := p.backReference(); node != nil {
			return node, true
		}
		if p.unicode {
			panic(reason("Invalid escape"))
		}
		if next >= '8' {
			p.at += 2
			return &Node{Op: Char, Set: single(next)}, true
		}
	case 'k':
		if p.unicode || p.hasNames {
			p.at += 2
			if !p.accept("<") {
				panic(reason("Invalid named reference"))
			}
			return p.namedReference(), true
		}
	}
	p.at++
	if set, ok := p.classEscape(false); ok {
		return &Node{Op: Char, Set: set}, true
	}
	return &Node{Op: Char, Set: single(p.characterEscape(false))}, true
}

func (p *parser) namedReference() (node *Node) {
	node = &Node{Op: Back}
	defer func() {
		if fault := recover(); fault != nil {
			if _, ok := fault.(reason); ok {
				fault = reason("Invalid named reference")
			}
			panic(fault)
		}
	}()
	name := p.groupName()
	p.named = append(p.named, namedRef{node, name})
	return node
}

// backReference reads \1 and the like, nil when no such group exists.
func (p *parser) backReference() *Node {
	start := p.at
	p.at++
	index, _ := p.number()
	if index > p.groups {
		p.at = start
		return nil
	}
	return &Node{Op: Back, Index: index}
}

// classEscape reads \d, \s, \w, \p and their opposites, after the backslash.
func (p *parser) classEscape(inClass bool) (Set, bool) {
	r := p.peek(0)
	var set Set
	switch r {
	case 'd', 'D':
		set = digits()
	case 's', 'S':
		set = spaces()
	case 'w', 'W':
		set = words()
	case 'p', 'P':
		if !p.unicode {
			return nil, false
		}
		p.at++
		set = p.propertyClass(inClass)
		p.at--
	default:
		return nil, false
	}
	p.at++
	if r == 'D' || r == 'S' || r == 'W' || r == 'P' {
		set = invert(set)
	}
	return set, true
}

func (p *parser) propertyClass(inClass bool) Set {
	invalid := reason("Invalid property name")
	if inClass {
		invalid = "Invalid property name in character class"
	}
	if !p.accept("{") {
		panic(invalid)
	}
	var name strings.Builder
	for !p.accept("}") {
		if !p.more() {
			panic(invalid)
		}
		name.WriteRune(p.source[p.at])
		p.at++
	}
	if p.properties++; p.properties > maxProperties {
		panic(unsupported("too many Unicode properties"))
	}
	set, known := property(name.String())
	if !known {
		panic(invalid)
	}
	if set == nil {
		panic(unsupported(`no data for \p{` + name.String() + `}`))
	}
	return set
}

// characterEscape reads an escape that stands for one code point, after the backslash.
func (p *parser) characterEscape(inClass bool) rune {
	r := p.source[p.at]
	p.at++
	switch r {
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	case 'v':
		return '\v'
	case 'c':
		return p.controlEscape(inClass)
	case '0', '1', '2', '3', '4', '5', '6', '7':
		return p.octalEscape(r, inClass)
	case 'x':
		if value, ok := p.hex(2); ok {
			return value
		}
		if p.unicode {
			panic(reason("Invalid escape"))
		}
		return r
	case 'u':
		if value, ok := p.unicodeEscape(p.unicode); ok {
			return value
		}
		if p.unicode {
			panic(reason("Invalid Unicode escape"))
		}
		return r
	}
	syntax := strings.ContainsRune(`^$\.*+?()[]{}|/`, r) || r == '-' && inClass
	if p.unicode && !syntax {
		panic(reason("Invalid escape"))
	}
	return r
}

func (p *parser) controlEscape(inClass bool) rune {
	letter := p.peek(0)
	isLetter := letter >= 'a' && letter <= 'z' || letter >= 'A' && letter <= 'Z'
	if isLetter || !p.unicode && inClass && (letter >= '0' && letter <= '9' || letter == '_') {
		p.at++
		return letter & 0x1F
	}
	if p.unicode {
		panic(reason("Invalid Unicode escape"))
	}
	// Without the u flag the backslash stands for itself.
	p.at--
	return '\\'
}

func (p *parser) octalEscape(first rune, inClass bool) rune {
	next := p.peek(0)
	if p.unicode {
		if first == '0' && (next < '0' || next > '9') {
			return 0
		}
		if inClass {
			panic(reason("Invalid class escape"))
		}
		panic(reason("Invalid decimal escape"))
	}
	value := first - '0'
	for value < 0o40 && p.peek(0) >= '0' && p.peek(0) <= '7' {
		value = value*8 + p.source[p.at] - '0'
		p.at++
	}
	return value
}

func (p *parser) hex(n int) (rune, bool) {
	start, value := p.at, rune(0)
	for range n {
		digit := strings.IndexRune("0123456789abcdef", lower(p.peek(0)))
		if !p.more() || digit < 0 {
			p.at = start
			return 0, false
		}
		value = value*16 + rune(digit)
		p.at++
	}
	return value, true
}

func lower(r rune) rune {
	if r >= 'A' && r <= 'Z' {
		return r + 'a' - 'A'
	}
	return r
}

// unicodeEscape reads what follows \u: four digits, or digits in braces when
// braces is set. A pair of surrogates is one code point then.
func (p *parser) unicodeEscape(braces bool) (rune, bool) {
	start := p.at
	if braces && p.accept("{") {
		value, n := rune(0), 0
		for !p.accept("}") {
			digit, ok := p.hex(1)
			value = value*16 + digit
			n++
			if !ok || value > maxRune {
				p.at = start
				return 0, false
			}
		}
		if n == 0 {
			p.at = start
		}
		return value, n > 0
	}
	value, ok := p.hex(4)
	if !ok {
		p.at = start
		return 0, false
	}
	if value >= 0xD800 && value < 0xDC00 && p.peek(0) == '\\' && p.peek(1) == 'u' {
		again := p.at
		p.at += 2
		if low, ok := p.hex(4); ok && low >= 0xDC00 && low < 0xE000 {
			return (value-0xD800)<<10 + (low - 0xDC00) + 0x10000, true
		}
		p.at = again
	}
	return value, true
}
