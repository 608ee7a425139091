package report

// serverReport is the report on one server.
type serverReport struct {
	// server is "" when the report is on one server alone.
	server string
	report *Report
}

// serverReports returns the reports on single servers that make up r: r itself, or one
// for each server of a hosts' file.
func serverReports(r *Report) []serverReport {
	if len(r.Servers) == 0 {
		return []serverReport{{report: r}}
	}
	var list []serverReport
	if len(r.Outcomes) > 0 {
		list = append(list, serverReport{report: r})
	}
	for i := range r.Servers {
		list = append(list, serverReport{server: r.Servers[i].Target.Name, report: &r.Servers[i]})
	}
	return list
}
