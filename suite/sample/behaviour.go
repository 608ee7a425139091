package sample

import (
	"io"
	"net/http"
	"slices"
	"time"
)

// behaviour holds every decision of the server that a fault may turn or a shape
// may vary. right returns the right ones. A fault changes exactly one.
type behaviour struct {
	// revisions are the handshake revisions that the server speaks, newest first; modern is 2026-07-28.
	revisions []string
	modern    bool
	tools     []*tool
	// capabilities are what the server declares to a request.
	capabilities func(x *exchange) object
	// hints adds caching hints to a result of 2026-07-28.
	hints func(x *exchange, result object)
	// delay holds an answer back; nil does not.
	delay func(x *exchange) time.Duration
	order keyOrder

	// before may take a request over, results and failures rewrite an answer,
	// messages rewrites anything that is sent (x is nil for what belongs to no
	// request), afterwards runs when the answer is out.
	before     []func(x *exchange) bool
	results    []func(x *exchange, result object) object
	failures   []func(x *exchange, f *failure) *failure
	messages   []func(x *exchange, m object) []object
	afterwards []func(x *exchange)

	opening       openingBehaviour
	listing       listingBehaviour
	calls         callBehaviour
	output        outputBehaviour
	progress      progressBehaviour
	cancel        cancelBehaviour
	asking        askingBehaviour
	resources     resourceBehaviour
	prompts       promptBehaviour
	completion    completionBehaviour
	logging       loggingBehaviour
	subscriptions subscriptionBehaviour
	tasks         taskBehaviour
	envelope      envelopeBehaviour
	stdio         stdioBehaviour
	http          httpBehaviour
	process       Process
}

type openingBehaviour struct {
	negotiate func(supported []string, asked string) (string, *failure)
	// serves says whether a revision named in _meta is served.
	serves func(x *exchange, version string) bool
}

type listingBehaviour struct {
	// tools, resources, templates and prompts edit the listed entries.
	tools, resources, templates, prompts []func(x *exchange, entries list) list
	// pageSize is the most tools on a page, resourcePage the most resources; 0 for one page.
	pageSize, resourcePage int
	start                  func(x *exchange, member string, total int) (int, *failure)
	next                   func(x *exchange, member string, at int) any
}

type callBehaviour struct {
	arguments func(given any) (object, *failure)
	lookUp    func(tools []*tool, name string) *tool
	unknown   func(x *exchange, name string) (object, *failure)
	validate  func(t *tool, args object) []problem
	refuse    func(c *call, problems []problem) (object, *failure)
	thrown    func(c *call, err error) (object, *failure)
	// runsFirst lets a tool run before its arguments are refused.
	runsFirst bool
}

type outputBehaviour struct {
	write    func(c *call, o outcome) (object, *failure)
	check    func(t *tool, details any) []problem
	mismatch func(c *call, problems []problem) (object, *failure)
}

type progressBehaviour struct {
	params func(x *exchange, done, total int, message string) object
	send   func(x *exchange, params object)
}

type cancelBehaviour struct {
	// hears says whether a cancellation of that id counts.
	hears func(id any) bool
	// answers lets a cancelled request be answered; deaf lets its work go on.
	answers, deaf bool
	// answersListen lets a cancelled subscription be answered.
	answersListen bool
	// byDrop says whether a dropped connection cancels a request.
	byDrop func(x *exchange) bool
}

type askingBehaviour struct {
	may     func(x *exchange) bool
	without func(c *call, q question) (reply, error)
	pose    func(c *call, q question) question
	method  string
	params  func(x *exchange, q question) object
	judge   func(c *call, q question, answer object) (reply, bool)
	// byRequest asks in the handshake revisions, inResult in 2026-07-28.
	byRequest, inResult func(c *call, q question) (reply, error)
	withdraw            func(c *call, id any, why string)
	// failed goes on after the client answered a question with an error.
	failed func(c *call, q question) (reply, error)
	// rootsFailed ends a call whose client answered roots/list with an error; nil carries on.
	rootsFailed error
	// send puts a question on its way; sameID gives every question the same id.
	send   func(c *call, m object) bool
	sameID bool
	// stray takes an answer that no question waits for.
	stray    func(ses *session)
	patience time.Duration
	// required is the result that carries a question.
	required func(c *call, q question, want claim) object
	sameCall func(have, want claim) bool
	// mark binds a state to more than its question, which is a fault.
	mark func(c *call) string
	// wantsSeal refuses a state that this server did not sign, wantsObject answers that are no object.
	wantsSeal, wantsObject bool
}

type resourceBehaviour struct {
	missing func(x *exchange, uri string) (object, *failure)
}

type promptBehaviour struct {
	unknown  func(x *exchange, name string) (object, *failure)
	validate func(p *prompt, args object) *failure
}

type completionBehaviour struct {
	values func(s *Server, ref object, argument string) ([]string, *failure)
}

type loggingBehaviour struct {
	wants    func(x *exchange, level int) bool
	params   func(level int, data object) object
	anyLevel bool
}

type subscriptionBehaviour struct {
	acknowledge func(sub *subscription)
	tell        func(sub *subscription, method string, params object)
}

type envelopeBehaviour struct {
	// read sorts a JSON value into the kinds of messages.
	read func(v any) incoming
	// broken answers a frame that is not JSON, invalid one that is no message; nil stays silent.
	broken, invalid func(ses *session, f *failure, id any) object
	// noted handles a notification; it may answer, which is a fault.
	noted func(ses *session, in incoming, out outlet)
	// batches says whether an array is served.
	batches func(ses *session) bool
}

type stdioBehaviour struct {
	// greeting is written to stdout before anything else.
	greeting string
	// input wraps what is read, frame tidies a line and output rewrites a line before it is written.
	input  func(r io.Reader) io.Reader
	frame  func(ses *session, line []byte) []byte
	output []func(line []byte) []byte
	// chatter is written to stdout before a request is served.
	chatter func(in incoming) string
	// maxLine is the longest line that is read, in bytes.
	maxLine int
	// sequential serves one request at a time.
	sequential bool
	// farewell is written to stdout at the end of the input.
	farewell string
	// blank runs on an empty line.
	blank func(ses *session, out outlet)
	// abandons leaves requests unanswered when the input ends.
	abandons bool
}

type httpBehaviour struct {
	// before may take a request over.
	before           []func(w *web, rw http.ResponseWriter, r *http.Request) bool
	hostOK, originOK func(r *http.Request) bool
	// Statuses of refusals.
	hostStatus, originStatus, missingSession, unknownSession int
	// newID makes session ids; nil works without sessions.
	newID     func() string
	versionOK func(revisions []string, version string) bool
	// deleteForgets ends a session when the client deletes it.
	deleteForgets bool
	get           func(w *web, rw http.ResponseWriter, r *http.Request)
	// accept reads what the client takes, answersAs how answers go out.
	accept                  func(accept []string) (json, sse bool)
	answersAs               int
	contentType, streamType string
	// wrap changes a JSON answer, finish ends a stream.
	wrap   func(m any) any
	finish func(st *stream)
	// status may change the HTTP status of a JSON answer; x is nil for a handshake or a batch.
	status func(x *exchange, status int) int
	// noted answers a notification, took a response of the client.
	noted, took func(rw http.ResponseWriter)
	// unprimed leaves out the event with which a stream begins.
	unprimed bool
	// unbuffered sends X-Accel-Buffering on streams, frame writes an event, eventID names it.
	unbuffered bool
	frame      func(e event) []byte
	eventID    func(st *stream, place string) string
	resume     func(hs *webSession, eventID string) (*stream, int, bool)
	// headers checks what 2026-07-28 mirrors, with headerChecks and decode.
	headers      func(x *exchange, h http.Header) *failure
	headerChecks []headerCheck
	decode       func(v string) (string, bool)
	// authorize wants a token, metadata says where to get one; nil for an open server.
	authorize func(rw http.ResponseWriter, r *http.Request) bool
	metadata  func(rw http.ResponseWriter, r *http.Request)
}

// right is the behaviour of a right server.
func right() behaviour {
	return behaviour{
		revisions: handshakeRevisions(), modern: true, tools: rightTools(),
		capabilities: rightCapabilities, hints: cachingHints, order: plainOrder,
		opening: openingBehaviour{
			negotiate: negotiate,
			serves:    func(_ *exchange, version string) bool { return version == revisionModern },
		},
		listing: listingBehaviour{resourcePage: 2, start: cursorStart, next: nextCursor},
		calls: callBehaviour{
			arguments: readArguments, lookUp: find, unknown: unknownTool,
			validate: validateInput, refuse: refuseInput, thrown: thrown,
		},
		output: outputBehaviour{write: writeOutcome, check: checkOutput, mismatch: outputMismatch},
		progress: progressBehaviour{
			params: progressParams,
			send:   func(x *exchange, params object) { x.notify("notifications/progress", params) },
		},
		cancel: cancelBehaviour{
			hears:  func(any) bool { return true },
			byDrop: func(x *exchange) bool { return x.modern },
		},
		asking: askingBehaviour{
			may: mayAsk, without: carryOn, pose: func(_ *call, q question) question { return q },
			method: "elicitation/create", params: func(x *exchange, q question) object { return q.params(x) },
			judge: judge, byRequest: askByRequest, inResult: askInResult, withdraw: withdraw,
			failed: carryOn, send: (*call).question, stray: func(*session) {}, patience: 5 * time.Minute,
			required: inputRequired, sameCall: sameCall, mark: func(*call) string { return "" }, wantsSeal: true, wantsObject: true,
		},
		resources:     resourceBehaviour{missing: missingResource},
		prompts:       promptBehaviour{unknown: unknownPrompt, validate: validatePrompt},
		completion:    completionBehaviour{values: completionValues},
		logging:       loggingBehaviour{wants: wantsLog, params: logParams},
		subscriptions: subscriptionBehaviour{acknowledge: acknowledge, tell: tell},
		tasks:         rightTasks(),
		envelope:      envelopeBehaviour{read: read, broken: errorMessage, invalid: errorMessage, noted: noted, batches: servesBatches},
		stdio: stdioBehaviour{
			input: func(r io.Reader) io.Reader { return r }, frame: tidy, maxLine: 64 << 20,
			blank: func(*session, outlet) {},
		},
		http: httpBehaviour{
			hostOK: localHost, originOK: localOrigin, hostStatus: http.StatusForbidden, originStatus: http.StatusForbidden,
			missingSession: http.StatusBadRequest, unknownSession: http.StatusNotFound,
			newID: newSessionID, versionOK: slices.Contains[[]string], deleteForgets: true, get: openGet,
			accept: acceptable, contentType: "application/json", streamType: "text/event-stream",
			status: func(_ *exchange, status int) int { return status }, noted: accepted, took: accepted,
			wrap: func(m any) any { return m }, finish: (*stream).finish,
			unbuffered: true, frame: writeEvent, eventID: eventID, resume: (*webSession).resumed,
			headers: checkHeaders, headerChecks: headerChecks(), decode: decodeHeader,
		},
	}
}
