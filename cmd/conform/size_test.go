package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
)

// TestProgramStaysSmall builds the program as a release does. It grows by megabytes
// at once when something reaches reflect.Value.MethodByName, as text/template does:
// the linker then keeps every exported method. `go build -ldflags=-dumpdep` says
// from where.
func TestProgramStaysSmall(t *testing.T) {
	t.Parallel()
	if testing.Short() || runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		t.Skip("measured on linux/amd64, and not in a short run")
	}
	const most = 25_000_000 // bytes
	path := filepath.Join(t.TempDir(), "conform")
	if out, err := exec.Command("go", "build", "-ldflags=-s -w", "-o", path, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	f, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d bytes", f.Size())
	if f.Size() >= most {
		t.Errorf("the program has %d bytes, want less than %d", f.Size(), most)
	}
}
