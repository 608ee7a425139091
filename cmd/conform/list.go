package main

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/agntn/conform/fakes"
	"github.com/agntn/conform/report"
	"github.com/agntn/conform/scenarios"
	"github.com/agntn/conform/scenarios/requirements"
	"github.com/agntn/conform/suite/sample"
)

func newList(s streams) *cobra.Command {
	var asJSON, asHTML bool
	kinds := map[string]func(io.Writer, bool) error{
		"clients": listClients, "scenarios": listScenarios, "checks": listChecks,
		"requirements": listRequirements, "faults": listFaults,
	}
	c := &cobra.Command{
		Use:       "list clients|scenarios|checks|requirements|faults",
		Short:     "Show what conform knows",
		Args:      cobra.MatchAll(cobra.ExactArgs(1), cobra.OnlyValidArgs),
		ValidArgs: []string{"clients", "scenarios", "checks", "requirements", "faults"},
		RunE: func(_ *cobra.Command, args []string) error {
			if asHTML {
				if args[0] != "checks" {
					return usage("--html shows checks only: conform list checks --html")
				}
				txt, titles, err := texts(scenarios.All())
				if err != nil {
					return err
				}
				return report.WriteCatalogueHTML(s.out, report.Tool{Name: "conform", Version: versionText()}, report.HTMLOptions{Texts: txt, Scenarios: titles})
			}
			return kinds[args[0]](s.out, asJSON)
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	c.Flags().BoolVar(&asHTML, "html", false, "print an HTML page (checks)")
	return c
}

// printJSON prints a value as indented JSON.
func printJSON(w io.Writer, v any) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(v)
}

// table prints rows in columns.
func table(w io.Writer, rows [][]string) error {
	t := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	for _, r := range rows {
		fmt.Fprintln(t, strings.Join(r, "\t"))
	}
	return t.Flush()
}

func listClients(w io.Writer, asJSON bool) error {
	set, err := fakes.Load()
	if err != nil {
		return &exitError{report.ExitSuite, err.Error()}
	}
	if asJSON {
		return printJSON(w, set.All())
	}
	rows := [][]string{{"ID", "PRODUCT", "VERSION", "RUNS", "SEEN"}}
	for _, p := range set.All() {
		runs := "on request"
		if p.Default {
			runs = "by default"
		}
		rows = append(rows, []string{p.ID, p.Product, p.Version, runs, p.Source + ": " + p.Seen})
	}
	return table(w, rows)
}

func listScenarios(w io.Writer, asJSON bool) error {
	type row struct {
		ID      string   `json:"id"`
		Title   string   `json:"title"`
		Summary string   `json:"summary"`
		Checks  []string `json:"checks"`
	}
	var all []row
	for _, s := range scenarios.All() {
		r := row{s.ID, s.Title, s.Summary, nil}
		for _, k := range s.Checks {
			r.Checks = append(r.Checks, k.ID)
		}
		all = append(all, r)
	}
	if asJSON {
		return printJSON(w, all)
	}
	rows := [][]string{{"ID", "CHECKS", "WHAT IS TRIED"}}
	for _, r := range all {
		rows = append(rows, []string{r.ID, fmt.Sprint(len(r.Checks)), r.Summary})
	}
	return table(w, rows)
}

func listChecks(w io.Writer, asJSON bool) error {
	checks := scenarios.All().Checks()
	if asJSON {
		type row struct {
			ID           string          `json:"id"`
			Level        scenarios.Level `json:"level"`
			Claim        string          `json:"claim"`
			Why          string          `json:"why"`
			Remedy       string          `json:"remedy"`
			Basis        []string        `json:"basis"`
			Requirements []string        `json:"requirements"`
			Hosts        []string        `json:"hosts"`
		}
		var all []row
		for _, k := range checks {
			all = append(all, row{k.ID, k.Level, k.Claim, k.Why, k.Remedy, k.Basis, k.Requirements, k.Hosts})
		}
		return printJSON(w, all)
	}
	rows := [][]string{{"ID", "LEVEL", "CLAIM"}}
	for _, k := range checks {
		rows = append(rows, []string{k.ID, string(k.Level), k.Claim})
	}
	return table(w, rows)
}

func listRequirements(w io.Writer, asJSON bool) error {
	var checks []requirements.Check
	for _, k := range scenarios.All().Checks() {
		checks = append(checks, requirements.Check{ID: k.ID, Requirements: k.Requirements})
	}
	cov, err := requirements.Coverage(checks)
	if err != nil {
		return &exitError{report.ExitSuite, err.Error()}
	}
	if asJSON {
		return printJSON(w, cov)
	}
	rows := [][]string{{"ID", "LEVEL", "STATE", "CHECK OR REASON"}}
	for _, l := range cov.Lines {
		by := strings.Join(l.Checks, ", ")
		if by == "" {
			by = l.Reason
		}
		rows = append(rows, []string{l.ID, l.Level, string(l.State), by})
	}
	if err := table(w, rows); err != nil {
		return err
	}
	fmt.Fprintf(w, "\n%d requirements: %d covered, %d not observable (with reasons), %d unexplained\n", len(cov.Lines), cov.Covered, cov.Excused, cov.Open)
	fmt.Fprintf(w, "of %d that are MUST or SHOULD and not derived, %d are covered\n", cov.Binding, cov.BindingCovered)
	return nil
}

func listFaults(w io.Writer, asJSON bool) error {
	if asJSON {
		type row struct {
			Name       string   `json:"name"`
			What       string   `json:"what"`
			Checks     []string `json:"checks"`
			Collateral []string `json:"collateral"`
			Eras       []string `json:"eras"`
			Transports []string `json:"transports"`
		}
		var all []row
		for _, f := range sample.Faults() {
			all = append(all, row{f.Name, f.What, f.Checks, f.Collateral, f.Eras, f.Transports})
		}
		return printJSON(w, all)
	}
	rows := [][]string{{"FAULT", "CAUGHT BY", "WHAT THE SERVER DOES WRONG"}}
	for _, f := range sample.Faults() {
		rows = append(rows, []string{f.Name, strings.Join(f.Checks, ", "), f.What})
	}
	if err := table(w, rows); err != nil {
		return err
	}
	t := sample.Sum(sample.Faults(), scenarios.All().IDs())
	_, err := fmt.Fprintf(w, "\n%d checks, %d faults, %d kills (a fault and a check that must catch it), %d collateral (a fault and what may see it too)\n", t.Checks, t.Faults, t.Kills, t.Collateral)
	return err
}
