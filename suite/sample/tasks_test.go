package sample

import (
	"net/http"
	"regexp"
	"slices"
	"sync"
	"testing"
	"time"
)

// begins calls a tool as a task and returns the id of the task.
func (c *client) begins(tool, arguments string) string {
	params := `{"name":` + quote(tool) + `,"arguments":` + arguments
	if c.era == Legacy {
		params += `,"task":{"ttl":1000},"_meta":{"progressToken":` + quote(tool) + `}`
	}
	m := regexp.MustCompile(`"taskId":"([^"]+)"`).FindStringSubmatch(c.ask("tools/call", params+"}"))
	if m == nil {
		return "no task"
	}
	return m[1]
}

// about asks something about a task, with more members where there are some.
func (c *client) about(method, id, more string) string {
	return c.ask(method, `{"taskId":`+quote(id)+more+`}`)
}

// probeTaskLife follows tasks through all that may become of them.
func probeTaskLife(c *client) {
	c.capabilities = `{"elicitation":{},"extensions":{"` + extensionTasks + `":{}}}`
	c.quiet = 1500 * time.Millisecond
	c.open()
	if c.era == Modern {
		probeExtendedTasks(c)
		return
	}
	late := 10 * time.Millisecond // how long something may come after the last answer
	if slices.Contains(c.srv.opts.Faults, "tasks-progress-token-lives") {
		late = 1300 * time.Millisecond
	}
	stream := func() { time.Sleep(late); c.settle() }
	if c.transport == HTTP {
		other := c.beside()
		other.quiet = quiet + late
		var done sync.WaitGroup
		done.Go(func() { other.get(http.MethodGet, endpoint, nil) })
		time.Sleep(30 * time.Millisecond)
		stream = func() { done.Wait(); c.note("%s", other.log.String()) }
	}
	report := c.begins("report_write", `{"tea":"assam"}`)
	for _, method := range []string{"tasks/get", "tasks/result", "tasks/get", "tasks/get", "tasks/cancel"} {
		c.about(method, report, "")
	}
	failing := c.begins("number_divide", `{"number":7,"by":0}`)
	c.about("tasks/result", failing, "")
	c.about("tasks/get", failing, "")
	asking := c.begins("tea_advice", `{"time":"noon"}`)
	time.Sleep(50 * time.Millisecond)
	c.about("tasks/get", asking, "")
	c.about("tasks/cancel", asking, "")
	long := c.begins("count_up", `{"to":50,"pause_ms":20}`)
	c.notify("notifications/cancelled", `{"requestId":`+string(num(c.next))+`}`)
	time.Sleep(50 * time.Millisecond)
	c.about("tasks/get", long, "")
	c.about("tasks/cancel", long, "")
	c.about("tasks/get", "zz", "")
	c.ask("tasks/list", "")
	c.call("report_write", `{"tea":"assam"}`)
	c.begins("text_slug", `{"text":"Tea"}`)
	stream()
}

func probeExtendedTasks(c *client) {
	report := c.begins("report_write", `{"tea":"assam"}`)
	c.about("tasks/get", report, "")
	time.Sleep(600 * time.Millisecond)
	c.about("tasks/get", report, "")
	c.about("tasks/cancel", report, "")
	failing := c.begins("number_divide", `{"number":7,"by":0}`)
	time.Sleep(50 * time.Millisecond)
	c.about("tasks/get", failing, "")
	asking := c.begins("tea_advice", `{"time":"noon"}`)
	for range 2 {
		time.Sleep(50 * time.Millisecond)
		c.about("tasks/get", asking, "")
		c.about("tasks/update", asking, `,"inputResponses":{"strength":{"action":"decline"},"strength-1":{"action":"decline"},"zz":{"action":"accept"}}`)
	}
	c.about("tasks/update", "zz", `,"inputResponses":{}`)
	listens := c.frame("90", "subscriptions/listen", `{"notifications":{"taskIds":["zz"]}}`)
	wait := func() {}
	if c.transport == HTTP {
		wait = c.aside(listens)
		time.Sleep(30 * time.Millisecond)
	} else {
		c.write(listens + "\n")
		c.await("acknowledged")
	}
	c.about("tasks/get", failing, "")
	c.capabilities = `{}`
	c.call("report_write", `{"tea":"assam"}`)
	c.call("count_up", `{"to":1}`)
	refused := c.frame("91", "subscriptions/listen", `{"notifications":{"taskIds":["zz"]}}`)
	if c.transport == HTTP {
		c.quiet = quiet
		c.post(refused, nil)
	} else {
		c.write(refused + "\n")
		c.await("91")
	}
	wait()
}

// TestTasksOutliveTheirRequest holds the right server to what the faults turn.
func TestTasksOutliveTheirRequest(t *testing.T) {
	t.Parallel()
	for _, era := range []string{Legacy, Modern} {
		for _, transport := range []string{Stdio, HTTP} {
			t.Run(era+" "+transport, func(t *testing.T) {
				t.Parallel()
				c := newClient(t, newServer(t, Options{Shape: "tasks"}), era, transport)
				c.capabilities = `{"extensions":{"` + extensionTasks + `":{}}}`
				id := c.open().begins("report_write", `{"tea":"rooibos"}`)
				status := regexp.MustCompile(`"status":"(\w+)"`)
				seen := ""
				for range 40 {
					m := status.FindStringSubmatch(c.about("tasks/get", id, ""))
					if m == nil {
						t.Fatalf("tasks/get finds no task\n%s", c.log.String())
					}
					if seen = m[1]; final(seen) {
						break
					}
					time.Sleep(50 * time.Millisecond)
				}
				if seen != "completed" {
					t.Errorf("status %q at the end\n%s", seen, c.log.String())
				}
			})
		}
	}
}
