package sample

// Shape is a variant that a right server may have.
type Shape struct {
	// Name is what Options.Shape takes.
	Name string
	// What is one sentence about the variant.
	What string
	form func(b *behaviour, opts Options)
}

// Shapes lists the variants.
func Shapes() []Shape { return nil }

func shapeNamed(name string) (Shape, bool) {
	for _, s := range Shapes() {
		if s.Name == name {
			return s, true
		}
	}
	return Shape{}, false
}
