//go:build depspin

package conform

import (
	_ "github.com/charmbracelet/lipgloss"
	_ "github.com/chromedp/chromedp"
	_ "github.com/dlclark/regexp2"
	_ "github.com/goccy/go-yaml"
	_ "github.com/google/go-cmp/cmp"
	_ "github.com/mattn/go-isatty"
	_ "github.com/mattn/go-shellwords"
	_ "github.com/modelcontextprotocol/go-sdk/mcp"
	_ "github.com/muesli/termenv"
	_ "github.com/onsi/ginkgo/v2"
	_ "github.com/onsi/ginkgo/v2/extensions/globals"
	_ "github.com/onsi/gomega"
	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	_ "github.com/rhysd/actionlint"
	_ "github.com/rogpeppe/go-internal/testscript"
	_ "github.com/santhosh-tekuri/jsonschema/v6"
	_ "github.com/spf13/cobra"
	_ "github.com/spf13/cobra/doc"
	_ "github.com/tidwall/gjson"
	_ "github.com/tidwall/sjson"
	_ "golang.org/x/net/html"
	_ "golang.org/x/sync/errgroup"
	_ "golang.org/x/sys/unix"
	_ "golang.org/x/term"
	_ "pgregory.net/rapid"
)
