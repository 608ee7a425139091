package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// quietHeap is how many bytes the heap may hold before the collector runs. A run
// lasts a few seconds: below this there is nothing to gain.
const quietHeap = 64 << 20

// letHeapGrow keeps the collector away until the heap holds quietHeap bytes. From
// half as much live data on it collects as it does by default, and near softMemory
// more often. Whoever sets GOGC decides for themselves.
func letHeapGrow() {
	if os.Getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(growth(4 << 20)) // the runtime counts from 4 MiB at first
	afterEachCollection(func() { debug.SetGCPercent(growth(liveBytes())) })
}

// growth is by how many percent the heap may grow over what is live.
func growth(live uint64) int {
	return int(max(100, 100*(quietHeap-min(live, quietHeap))/max(live, 1<<20)))
}

func liveBytes() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// afterEachCollection calls do when a collection has ended: then something that
// nobody holds is cleaned up, and the next such thing is made.
func afterEachCollection(do func()) {
	runtime.AddCleanup(&[16]byte{1}, func(do func()) {
		do()
		afterEachCollection(do)
	}, do)
}
