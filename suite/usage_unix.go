//go:build unix

package suite

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// cpu is the processor time of this program alone.
func cpu() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peakMemory is the largest resident size of this program, in bytes.
func peakMemory() int64 {
	// On Linux the resource usage of a program also holds the size of the one
	// that started it; its status does not.
	status, _ := os.ReadFile("/proc/self/status")
	if _, text, ok := strings.Cut(string(status), "VmHWM:"); ok {
		var kib int64
		if _, err := fmt.Sscan(text, &kib); err == nil {
			return kib << 10
		}
	}
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	if runtime.GOOS == "darwin" {
		return u.Maxrss
	}
	return u.Maxrss * 1024
}
