//go:build !unix

package suite

import (
	"runtime"
	"time"
)

// cpu is not known here.
func cpu() time.Duration { return 0 }

// peakMemory is what the program took from the system, in bytes.
func peakMemory() int64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.Sys)
}
