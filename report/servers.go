package report

import "cmp"

// serverReport is the report on one server.
type serverReport struct {
	// server is the name of a hosts' file, else what the server calls itself; ""
	// when the report is on one server that no such file names.
	server string
	report *Report
}

// serverReports returns the reports on single servers that make up r: r itself, or one
// for each server of a hosts' file.
func serverReports(r *Report) []serverReport {
	if len(r.Servers) == 0 {
		return []serverReport{{server: r.Target.ID, report: r}}
	}
	var list []serverReport
	if len(r.Outcomes) > 0 {
		list = append(list, serverReport{report: r})
	}
	for i := range r.Servers {
		list = append(list, serverReport{server: cmp.Or(r.Servers[i].Target.ID, r.Servers[i].Target.Name), report: &r.Servers[i]})
	}
	return list
}
