package readers

// Source says how the manners of a client are known.
type Source string

// The sources, from the surest to the least sure. They are the words that
// host rules use.
const (
	Observed        Source = "observed"         // the client ran against recording servers
	Official        Source = "official"         // the vendor's own documents
	SourceCode      Source = "source-code"      // read in the published package
	MultipleReports Source = "multiple-reports" // several people say so
	SingleReport    Source = "single-report"
	Inferred        Source = "inferred"
)

// Facts say where a reader's knowledge comes from and where it ends.
type Facts struct {
	Client  string // the id that For takes
	Product string
	Version string // "" when the product shows none
	Source  Source
	Seen    string   // when, as YYYY-MM-DD
	Limits  []string // what the reader does not know or leaves out
}

// seen is the day of the observations.
const seen = "2026-11-29"
