package readers_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/fakes/readers"
)

// TestGoSDKReaderAgreesWithGoSDK runs the real client of the Go SDK in this
// process on a scripted server and compares its verdict and text.
func TestGoSDKReaderAgreesWithGoSDK(t *testing.T) {
	t.Parallel()
	reader, _ := readers.For("go-sdk")
	tried := 0
	for _, v := range slices.Concat(lists(), oddTools(), calls(), fuzzed(t)) {
		got := askGoSDK(t, v)
		want := readGoSDK(reader, v)
		if got != want {
			t.Errorf("%s\n sent %.300s\n real %.400s\n fake %.400s", v.name, v.Raw, got, want)
		}
		tried++
	}
	t.Logf("%d variants tried", tried)
}

// readGoSDK gives what the reader says, in one line.
func readGoSDK(reader fakes.Reader, v variant) string {
	if v.Kind == "list" {
		l := reader.Listing("2025-11-25", [][]byte{[]byte(v.Raw)})
		if l.State != fakes.Accepted {
			return "error " + l.Error
		}
		out := "tools"
		for _, tool := range l.Tools {
			if tool.State != fakes.Dropped {
				schema := tool.Schema
				if schema == nil {
					schema = []byte(gjson.GetBytes(tool.Raw, "inputSchema").Raw)
				}
				out += " " + tool.ModelName + plain(schema)
			}
		}
		return out
	}
	a := reader.Call("2025-11-25", nil, []byte(strings.ReplaceAll(v.Raw, "@ID@", "2")))
	if a.State != fakes.Accepted {
		return "error " + a.Error
	}
	return "result " + a.Text
}

// askGoSDK gives what the real client does, in the same line.
func askGoSDK(t *testing.T, v variant) string {
	t.Helper()
	toClient, fromServer := io.Pipe()
	toServer, fromClient := io.Pipe()
	go serveVariant(toServer, fromServer, v)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	client := mcp.NewClient(&mcp.Implementation{Name: "c", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = fromServer.Close()
		_ = toServer.Close()
		_ = session.Close()
	}()
	answer := make(chan string, 1)
	go func() { answer <- useGoSDK(ctx, session, v) }()
	// The server answers the ping after the variant. A request that is still open
	// then is never answered.
	if session.Ping(ctx, nil) == nil {
		select {
		case got := <-answer:
			return got
		case <-time.After(time.Second):
			cancel()
			<-answer
			return "error context deadline exceeded"
		}
	}
	return <-answer
}

// useGoSDK asks for the list or makes the call, and writes what came of it.
func useGoSDK(ctx context.Context, session *mcp.ClientSession, v variant) string {
	if v.Kind == "list" {
		list, err := session.ListTools(ctx, nil)
		if err != nil {
			return "error " + err.Error()
		}
		out := "tools"
		for _, tool := range list.Tools {
			schema, err := json.Marshal(tool.InputSchema)
			if err != nil {
				return "error " + err.Error()
			}
			out += " " + tool.Name + plain(schema)
		}
		return out
	}
	result, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "t"})
	if err != nil {
		return "error " + err.Error()
	}
	text, err := json.Marshal(result)
	if err != nil {
		return "error " + err.Error()
	}
	return "result " + string(text)
}

// plain writes a JSON text in one way; an absent one is null.
func plain(text []byte) string {
	var v any
	if len(text) > 0 {
		if err := json.Unmarshal(text, &v); err != nil {
			return err.Error()
		}
	}
	out, err := json.Marshal(v)
	if err != nil {
		return err.Error()
	}
	return string(out)
}

// serveVariant answers the handshake, then gives the variant, then answers pings.
func serveVariant(in io.Reader, out io.Writer, v variant) {
	dec := json.NewDecoder(in)
	given := false
	var early []json.RawMessage // pings before the variant
	for {
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if dec.Decode(&m) != nil {
			return
		}
		var line string
		switch m.Method {
		case "initialize":
			line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}}`, m.ID)
		case "tools/list":
			line, given = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"result":%s}`, m.ID, v.Raw), true
		case "tools/call":
			line, given = strings.ReplaceAll(v.Raw, "@ID@", string(m.ID)), true
		case "server/discover":
			line = fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":-32601,"message":"Method not found"}}`, m.ID)
		case "ping":
			early = append(early, m.ID)
		default:
			continue
		}
		if line != "" {
			if _, err := io.WriteString(out, line+"\n"); err != nil {
				return
			}
		}
		for given && len(early) > 0 {
			if _, err := fmt.Fprintf(out, "{\"jsonrpc\":\"2.0\",\"id\":%s,\"result\":{}}\n", early[0]); err != nil {
				return
			}
			early = early[1:]
		}
	}
}

// TestGoSDKVersion holds the version that the facts name to the one in go.mod.
func TestGoSDKVersion(t *testing.T) {
	t.Parallel()
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	f, _ := readers.FactsOf("go-sdk")
	if !strings.Contains(string(mod), "github.com/modelcontextprotocol/go-sdk v"+f.Version+"\n") {
		t.Errorf("go.mod names another version of the Go SDK than %s, which the facts of the reader name: read its changes, then change both", f.Version)
	}
}
