package instance

// Content is an answer to a form of an elicitation: the content of an accept.
type Content struct {
	Content []byte
	// Fits tells whether the form's schema takes it.
	Fits bool
	// Case names it: fits, fits-full, extra-key (fits as well; a form that forbids
	// other keys has the case additional instead), or the kind of the one problem.
	Case string
	// Problems are the faults, none when it fits.
	Problems []Problem
}

// Misfits lists contents for the requestedSchema of a form, a flat object of
// primitives: two that fit (what is required; everything), one with a key the form
// does not have, and those that break it in one way each. Wrong values stay
// primitive, so that any client could send them. Formats count as annotations, so a
// text that is no email address is not among them.
func Misfits(form []byte, seed int64) ([]Content, error) {
	least, err := Valid(form, seed)
	if err != nil {
		return nil, err
	}
	list := []Content{{Content: least, Fits: true, Case: "fits"}}
	full := least
	if made, err := Valid(form, seed, Full()); err == nil {
		full = made
		list = append(list, Content{Content: full, Fits: true, Case: "fits-full"})
	}
	for _, extra := range UnknownKey(form, full) {
		if !extra.Hostile && extra.Allowed {
			list = append(list, Content{Content: extra.Arguments, Fits: true, Case: "extra-key"})
		}
	}
	b, ok := newBreaker(form, full, seed)
	if !ok {
		return list, nil
	}
	b.flat = true
	b.walk(nil, b.roots(), nil)
	for _, broken := range b.found {
		list = append(list, Content{Content: broken.Arguments, Case: string(broken.Problems[0].Kind), Problems: broken.Problems})
	}
	return list, nil
}
