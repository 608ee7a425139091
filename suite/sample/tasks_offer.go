package sample

import (
	"fmt"
	"net/http"
	"slices"
	"time"
)

// extensionTasks is the extension that holds tasks in 2026-07-28.
const extensionTasks = "io.modelcontextprotocol/tasks"

// offerTasks lets some tools run as tasks, and adds one that runs as nothing else.
func offerTasks(b *behaviour) {
	b.tasks.offered = true
	b.tools = append(b.tools, reportTool())
	capabilities := b.capabilities
	b.capabilities = func(x *exchange) object {
		c := capabilities(x)
		switch {
		case x.modern:
			c["extensions"] = object{extensionTasks: object{}}
		case x.knows("2025-11-25"):
			tasks := object{"cancel": object{}, "requests": object{"tools": object{"call": object{}}}}
			if x.srv.do.tasks.lists(x) {
				tasks["list"] = object{}
			}
			c["tasks"] = tasks
		}
		return c
	}
	b.listing.tools = append(b.listing.tools, func(x *exchange, entries list) list {
		return slices.DeleteFunc(entries, func(e any) bool {
			t := asObject(e)
			support := taskSupport(asString(t["name"]))
			if support != "" && !x.modern && x.knows("2025-11-25") {
				t["execution"] = object{"taskSupport": support}
			}
			return support == "required" && !tasksThere(x)
		})
	})
	byRequest, inResult := b.asking.byRequest, b.asking.inResult
	b.asking.byRequest = func(c *call, q question) (reply, error) {
		if t := taskOf(c.exchange); t != nil {
			t.set(c.srv.do.tasks.waiting, "The task has a question.")
			defer t.set("working", "")
		}
		return byRequest(c, q)
	}
	b.asking.inResult = func(c *call, q question) (reply, error) {
		if t := taskOf(c.exchange); t != nil {
			return t.ask(c, q)
		}
		return inResult(c, q)
	}
}

// tasksThere says whether the revision has tasks.
func tasksThere(x *exchange) bool { return x.modern || x.knows("2025-11-25") }

// taskSupport is what a tool says of tasks; "" for a tool that cannot be one.
func taskSupport(name string) string {
	switch name {
	case "report_write":
		return "required"
	case "count_up", "tea_advice", "number_divide":
		return "optional"
	}
	return ""
}

func reportTool() *tool {
	return &tool{
		name: "report_write", title: "Write a Report",
		description: "Writes a short report about a tea. Takes a moment, and runs as a task alone.",
		input:       schemaOf(object{"tea": object{"type": "string", "description": "Tea to write about", "enum": list{"assam", "rooibos"}}}, "tea"),
		slow:        true,
		run: func(c *call, args object) (outcome, error) {
			for i := range 3 {
				c.progress(i+1, 3, fmt.Sprintf("part %d of 3", i+1))
				if err := c.pause(150 * time.Millisecond); err != nil {
					return outcome{}, err
				}
			}
			return said("A report about " + visible(text(args, "tea", "")) + ": it is a good tea."), nil
		},
	}
}

// declaresTasks says that a request declares the extension.
func declaresTasks(x *exchange) bool {
	_, declared := asObject(x.capabilities["extensions"])[extensionTasks]
	return declared
}

func wantsExtension() *failure {
	f := fail(codeMissingCapability, "The client must declare the tasks extension").
		with(object{"requiredCapabilities": object{"extensions": object{extensionTasks: object{}}}})
	f.status = http.StatusBadRequest
	return f
}

// callOrBegin answers a call with its result or with a task, as the revision has it.
func callOrBegin(x *exchange) (object, *failure) {
	name, _ := x.params["name"].(string)
	support := taskSupport(name)
	args, badArgs := readArguments(x.params["arguments"])
	t := find(x.srv.do.tools, name)
	fits := t != nil && badArgs == nil && len(x.srv.do.calls.validate(t, args)) == 0
	switch wants := x.params["task"] != nil && !x.modern; {
	case support == "required" && !tasksThere(x):
		return x.srv.do.calls.unknown(x, name)
	case x.modern && support != "" && fits && x.srv.do.tasks.admits(x):
		return begin(x)
	case x.modern && support == "required" && fits:
		return nil, wantsExtension()
	case x.modern || !x.knows("2025-11-25"):
		return callTool(x)
	case wants && support == "" && t != nil:
		return nil, fail(codeMethodNotFound, "The tool does not run as a task")
	case wants && fits:
		return begin(x)
	case support == "required" && fits:
		return nil, fail(codeMethodNotFound, "The tool runs as a task alone")
	}
	return callTool(x)
}

// listenToTasks wants the extension from those who name tasks.
func listenToTasks(x *exchange) (object, *failure) {
	if filter := asObject(x.params["notifications"]); filter["taskIds"] != nil && !declaresTasks(x) {
		return nil, wantsExtension()
	}
	return listen(x)
}

func taskKey(q question, n int) string { return q.key + "-" + string(num(n)) }

// ask opens a question of a task and waits until tasks/update answers it.
func (t *task) ask(c *call, q question) (reply, error) {
	do := &c.srv.do
	for range maxAsked {
		t.mu.Lock()
		t.asked++
		t.open[do.tasks.key(q, t.asked)] = object{"method": "elicitation/create", "params": do.asking.params(c.exchange, q)}
		t.mu.Unlock()
		t.set("input_required", "The task has a question.")
		select {
		case answer := <-t.answered:
			t.set("working", "")
			if r, fits := do.asking.judge(c, q, answer); fits {
				return r, nil
			}
			q.message = "Please answer as the form says. " + q.message
		case <-c.ctx.Done():
			return reply{}, errTaskOver
		}
	}
	return reply{}, fmt.Errorf("no fitting answer to %q", q.message)
}
