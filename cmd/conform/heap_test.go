package main

import "testing"

func TestGrowth(t *testing.T) {
	t.Parallel()
	for live, want := range map[uint64]int{
		0: 6400, 4 << 20: 1500, 16 << 20: 300, 48 << 20: 100, 64 << 20: 100, 1 << 30: 100,
	} {
		if got := growth(live); got != want {
			t.Errorf("with %d bytes live the heap may grow by %d percent, want %d", live, got, want)
		}
	}
}
