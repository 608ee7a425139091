package sample

// errorMessage is an error that may belong to no readable id. From 2025-11-25
// such an error has no id; the revisions before want one and leave nothing but null.
func errorMessage(ses *session, f *failure, id any) object {
	m := object{"jsonrpc": "2.0", "error": f.object()}
	if id != nil {
		m["id"] = id
	} else if revision, _, _ := ses.view(); revision != "" && revision < "2025-11-25" {
		m["id"] = nil
	}
	return m
}

// noted handles a notification. None is ever answered, known or not.
func noted(ses *session, in incoming, out outlet) {
	if in.method == "notifications/cancelled" {
		ses.cancel(in.params)
	}
	out.nothing()
}

// servesBatches says that 2025-03-26 was negotiated, the one revision with batches.
func servesBatches(ses *session) bool {
	revision, _, _ := ses.view()
	return revision == "2025-03-26"
}
