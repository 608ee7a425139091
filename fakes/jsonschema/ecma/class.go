package ecma

// class reads a character class after its opening bracket.
func (p *parser) class() Set {
	negate := p.accept("^")
	var ranges []Range
	for p.more() && p.peek(0) != ']' {
		first, firstIsSet := p.classAtom()
		if p.peek(0) != '-' {
			ranges = append(ranges, first...)
			continue
		}
		p.at++
		if !p.more() {
			break
		}
		if p.peek(0) == ']' {
			ranges = append(append(ranges, first...), Range{'-', '-'})
			break
		}
		second, secondIsSet := p.classAtom()
		if firstIsSet || secondIsSet {
			if p.unicode {
				panic(reason("Invalid character class"))
			}
			ranges = append(append(append(ranges, first...), second...), Range{'-', '-'})
			continue
		}
		if first[0].Lo > second[0].Lo {
			panic(reason("Range out of order in character class"))
		}
		ranges = append(ranges, Range{first[0].Lo, second[0].Lo})
	}
	if !p.accept("]") {
		panic(reason("Unterminated character class"))
	}
	if negate {
		return invert(normal(ranges))
	}
	return normal(ranges)
}

// classAtom reads one member of a class and tells whether it is a set.
func (p *parser) classAtom() (Set, bool) {
	r := p.source[p.at]
	p.at++
	if r != '\\' {
		return single(r), false
	}
	switch p.peek(0) {
	case -1:
		panic(reason(`\ at end of pattern`))
	case 'b':
		p.at++
		return single('\b'), false
	}
	if p.peek(0) == 'k' && p.hasNames {
		panic(reason("Invalid escape"))
	}
	if set, ok := p.classEscape(true); ok {
		return set, true
	}
	return single(p.characterEscape(true)), false
}
