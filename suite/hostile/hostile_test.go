//go:build linux

package hostile

import (
	"bufio"
	"bytes"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
)

// What a run against a hostile server may take.
const (
	maxMemory = 256 << 20
	// limit is the --timeout of a run, and slack what it may take on top of it to
	// judge, to write the reports and to end its servers.
	limit = 20 * time.Second
	slack = 15 * time.Second
)

// TestMain lets the test program be the hostile servers and their children, and
// lets many tests run at once: most of the time they wait.
func TestMain(m *testing.M) {
	if len(os.Args) > 2 && strings.HasPrefix(os.Args[1], "hostile-") {
		be(strings.TrimPrefix(os.Args[1], "hostile-"), os.Args[2:])
		os.Exit(0)
	}
	flag.Parse()
	atOnce := "8"
	if os.Getenv("CONFORM_LONG") != "" {
		atOnce = "4" // those that are run then keep conform busy
	}
	if err := flag.Lookup("test.parallel").Value.Set(atOnce); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}

// be is what the program does when it is a server or the child of one. The
// arguments end with a mark by which the process can be found.
func be(what string, args []string) {
	self := &Process{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Child: []string{os.Args[0], "hostile-child", args[len(args)-1]}}
	switch what {
	case "stdio":
		s, _ := Named(args[0], args[1])
		s.Stdio(self)
	case "http":
		s, _ := Named(args[0], args[1])
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(l.Addr())
		s.HTTP(l)
	case "child":
		Stay()
	case "twice":
		Twice(self.Child)
	case "talk":
		Talk(self)
	}
}

// run is one conform run against a hostile server.
type run struct {
	Server
	transport string
	dir       string
	took      time.Duration
	memory    int64
	exit      int
	out, err  bytes.Buffer
	asked     []string // what elsewhere was asked for
	left      []string // processes
	page      []byte   // the HTML report
}

func TestHostileServers(t *testing.T) {
	t.Parallel()
	conform := program(t)
	var mu sync.Mutex
	var all []*run
	t.Run("run", func(t *testing.T) {
		for _, s := range Servers("") {
			for _, transport := range []string{"stdio", "http"} {
				if transport == "stdio" && s.Stdio == nil || transport == "http" && s.HTTP == nil {
					continue
				}
				if os.Getenv("CONFORM_LONG") == "" && (s.Stdio != nil && transport == "http" || costly(s.Name)) {
					continue
				}
				t.Run(s.Name+"/"+transport, func(t *testing.T) {
					t.Parallel()
					r := start(t, conform, s.Name, transport)
					r.check(t)
					r.page, _ = os.ReadFile(filepath.Join(r.dir, "report.html")) // check has told that it is missing
					mu.Lock()
					defer mu.Unlock()
					all = append(all, r)
				})
			}
		}
	})
	t.Log("\n" + table(all))
	t.Run("pages", func(t *testing.T) {
		browser := startBrowser(t)
		checkHears(t, browser)
		for _, r := range all {
			// The others say little; they are looked at when there is time.
			if strings.Contains(r.Name, "texts") || os.Getenv("CONFORM_LONG") != "" {
				t.Run(r.Name+"/"+r.transport, func(t *testing.T) { checkPage(t, browser, r.page) })
			}
		}
	})
}

// costly names the servers that keep conform busy for long. They are run with
// CONFORM_LONG=1, as are those of stdio over HTTP, where the same bytes come
// another way.
func costly(name string) bool {
	return slices.Contains(strings.Fields(`
		closes-stdout large-answers stops-reading writes-after-the-end gigabyte-line
		child-talks-on children children-for-each-call children-of-own-sessions daemons ends-at-each-call ignores-signals
		kills-itself slow-to-end stops-itself
		answer-flood asks-for-ever cancel-flood list-changed-flood many-answers notification-flood ping-flood progress-flood
		question-flood sampling-flood
		byte-order-marks broken-utf8-names deep-arrays deep-junk deep-listing deep-objects duplicate-keys long-ids long-numbers
		long-numbers-in-schemas many-blocks random-members scalars wide-object
		catastrophic-patterns schemas-that-explode schemas-that-make-much wide-schema
		endless-pages hundred-thousand-tools large-texts one-name other-lists pages-of-large-cursors thousand-tools
		endless-events endless-events-first stream-stays-open endless-fields cookies`), name)
}

// table shows what each run took.
func table(all []*run) string {
	slices.SortFunc(all, func(a, b *run) int { return strings.Compare(a.Name+a.transport, b.Name+b.transport) })
	var b strings.Builder
	for _, r := range all {
		fmt.Fprintf(&b, "%-32s %-5s %5.1f s %4d MiB  exit %d\n", r.Name, r.transport, r.took.Seconds(), r.memory>>20, r.exit)
	}
	return b.String()
}

// start runs conform against one server over one transport.
func start(t *testing.T, conform, name, transport string) *run {
	t.Helper()
	r := &run{transport: transport, dir: t.TempDir()}
	elsewhere := r.elsewhere(t)
	r.Server, _ = Named(name, elsewhere)
	mark := fmt.Sprintf("hostile-%d-%s-%s", os.Getpid(), name, transport)
	args := []string{"run", "--out", r.dir, "--timeout", limit.String(), "--start-timeout", "5s", "--answer-timeout", "2s", "--env", "HOSTILE=" + mark}
	if transport == "http" {
		args = append(args, "--url", r.listen(t, elsewhere))
	} else {
		args = append(args, "--", os.Args[0], "hostile-stdio", name, elsewhere, mark)
	}
	cmd := exec.Command(conform, args...)
	cmd.Dir = r.dir
	cmd.Stdout, cmd.Stderr = &r.out, &r.err
	cmd.WaitDelay = time.Second
	begin := time.Now()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait() // the exit code says it all
		close(ended)
	}()
	r.watch(cmd.Process, ended)
	r.took = time.Since(begin)
	r.exit = cmd.ProcessState.ExitCode()
	r.left = kill(mark)
	return r
}

// watch keeps the largest resident size of a process until it ends, and kills it
// when it takes far too long. What the kernel tells of a process that has ended
// would count its children as well.
func (r *run) watch(p *os.Process, ended <-chan struct{}) {
	late := time.After(limit + slack + 30*time.Second)
	for {
		select {
		case <-ended:
			return
		case <-late:
			_ = p.Kill()
		case <-time.After(10 * time.Millisecond):
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
			if _, text, ok := strings.Cut(string(status), "VmHWM:"); ok {
				var kib int64
				if _, err := fmt.Sscan(text, &kib); err == nil {
					r.memory = max(r.memory, kib<<10)
				}
			}
		}
	}
}

// listen starts the server in a process of its own and returns its address.
func (r *run) listen(t *testing.T, elsewhere string) string {
	t.Helper()
	cmd := exec.Command(os.Args[0], "hostile-http", r.Name, elsewhere, "target")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait() // it was killed
	})
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	scheme := "http://"
	if r.TLS {
		scheme = "https://"
	}
	return scheme + strings.TrimSpace(address) + "/mcp"
}

// elsewhere is somebody whom nobody may ask for anything.
func (r *run) elsewhere(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	var mu sync.Mutex
	go handled(http.HandlerFunc(func(_ http.ResponseWriter, q *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		r.asked = append(r.asked, q.Method+" "+q.URL.String())
	}))(l)
	return "http://" + l.Addr().String()
}

// kill ends the processes that carry the mark in their arguments or environment, and names them.
func kill(mark string) []string {
	var left []string
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	for _, d := range dirs {
		cmdline, _ := os.ReadFile(d + "/cmdline")
		environ, _ := os.ReadFile(d + "/environ")
		if !bytes.Contains(cmdline, []byte(mark)) && !bytes.Contains(environ, []byte(mark)) {
			continue
		}
		stat, err := os.ReadFile(d + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			continue
		}
		left = append(left, filepath.Base(d)+" "+strings.ReplaceAll(string(cmdline), "\x00", " "))
		var pid int
		if _, err := fmt.Sscan(filepath.Base(d), &pid); err == nil {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	return left
}

// check holds a run to what every run promises, whatever the target does.
func (r *run) check(t *testing.T) {
	t.Helper()
	if r.took > limit+slack {
		t.Errorf("took %s; the limit is %s", r.took, limit)
	}
	if r.memory > maxMemory {
		t.Errorf("%d MiB of memory", r.memory>>20)
	}
	if !slices.Contains([]int{report.ExitOK, report.ExitFailed, report.ExitNothing, report.ExitInterrupted}, r.exit) {
		t.Errorf("exit code %d; stderr ends %q", r.exit, tail(r.err.String(), 2000))
	}
	for _, p := range r.left {
		t.Errorf("a process is left: %s", p)
	}
	for _, a := range r.asked {
		t.Errorf("somebody else was asked: %s", a)
	}
	got := checkFormats(t, r.dir)
	checkPlain(t, "the console", r.out.String())
	checkPlain(t, "stderr", r.err.String())
	for _, o := range got.Outcomes {
		if o.Verdict == scenarios.Error {
			t.Errorf("%s is an error: %s %v", o.ID, o.Message, o.Evidence)
		}
	}
	for _, n := range got.Notes {
		if strings.HasPrefix(n, "conform failed") {
			t.Error(n)
		}
	}
}

func tail(s string, n int) string { return s[max(0, len(s)-n):] }

// program builds the conform command.
func program(t *testing.T) string {
	t.Helper()
	out := filepath.Join(t.TempDir(), "conform")
	if msg, err := exec.Command("go", "build", "-o", out, "github.com/agntn/conform/cmd/conform").CombinedOutput(); err != nil {
		t.Fatalf("build conform: %v\n%s", err, msg)
	}
	return out
}
