package ajv

import (
	"math"
	"testing"
)

func TestNumberText(t *testing.T) {
	t.Parallel()
	for want, f := range map[string]float64{
		"1": 1, "-1.5": -1.5, "100000000000000000000": 1e20, "1e+21": 1e21, "0.000001": 1e-6, "1e-7": 1e-7,
		"1.5e+300": 1.5e300, "0": math.Copysign(0, -1), "Infinity": math.Inf(1), "9007199254740992": 1 << 53, "0.1": 0.1,
	} {
		if got := numberText(f); got != want {
			t.Errorf("numberText(%g) = %s, want %s", f, got, want)
		}
	}
	if got := parseInt(1e21); got != 1 {
		t.Errorf("parseInt(1e21) = %g, want 1", got)
	}
}
