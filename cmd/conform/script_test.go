package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	// Runs start this program again as the sample server. Anything but that would
	// run the tests again, which start it again, and so on.
	if os.Getenv("CONFORM_TEST_MAIN") != "" || len(os.Args) > 1 && os.Args[1] == "serve" {
		os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
	}
	testscript.Main(m, map[string]func(){
		"conform": func() { os.Exit(Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) },
	})
}

// TestScripts runs the command line as a person would; each file in
// testdata/script is one story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(e *testscript.Env) error {
			// The sample server is this very program.
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}
