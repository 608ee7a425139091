package sample

import (
	"slices"
	"sync"
)

// subscription is one subscriptions/listen request that is open.
type subscription struct {
	x *exchange
	// granted is what the client asked for and the server supports.
	granted object
	// over is closed when the server ends the subscription.
	over chan struct{}
	once sync.Once
}

func (sub *subscription) end() { sub.once.Do(func() { close(sub.over) }) }

// listen opens a subscription: it says what it grants, stays open, and ends with
// a result when the server ends it or in silence when the client does.
func listen(x *exchange) (object, *failure) {
	filter, ok := x.params["notifications"].(object)
	if !ok {
		return nil, fail(codeInvalidParams, "notifications must be an object")
	}
	granted := object{}
	declared := x.srv.do.capabilities(x)
	for _, offer := range []string{"tools", "prompts", "resources"} {
		if kind := offer + "ListChanged"; filter[kind] == true && asObject(declared[offer])["listChanged"] != nil {
			granted[kind] = true
		}
	}
	uris := list{}
	for _, uri := range asList(filter["resourceSubscriptions"]) {
		if u, ok := uri.(string); ok && asObject(declared["resources"])["subscribe"] != nil && x.srv.contents(u) != nil {
			uris = append(uris, u)
		}
	}
	if len(uris) > 0 {
		granted["resourceSubscriptions"] = uris
	}
	sub := &subscription{x: x, granted: granted, over: make(chan struct{})}
	x.srv.do.subscriptions.acknowledge(sub)
	x.srv.join(sub)
	defer x.srv.part(sub)
	select {
	case <-x.ctx.Done():
	case <-sub.over:
	}
	return object{"_meta": object{keySubscription: x.id}}, nil
}

func acknowledge(sub *subscription) {
	sub.x.notify("notifications/subscriptions/acknowledged", object{
		"notifications": clone(sub.granted), "_meta": object{keySubscription: sub.x.id},
	})
}

func (s *Server) join(sub *subscription) {
	s.mu.Lock()
	s.subscriptions = append(s.subscriptions, sub)
	s.mu.Unlock()
	if sub.x.ses.isClosed() {
		sub.end()
	}
}

func (s *Server) part(sub *subscription) {
	s.mu.Lock()
	defer s.mu.Unlock()
	left := s.subscriptions[:0:0]
	for _, other := range s.subscriptions {
		if other != sub {
			left = append(left, other)
		}
	}
	s.subscriptions = left
}

// endSubscriptions ends those of one session, or all for nil.
func (s *Server) endSubscriptions(ses *session) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, sub := range s.subscriptions {
		if ses == nil || sub.x.ses == ses {
			sub.end()
		}
	}
}

// announce sends a notification that belongs to no request: to the sessions of
// handshake revisions that may get it, and to the subscriptions that asked for its kind.
func (s *Server) announce(method string, params object, kind, uri string) {
	s.mu.Lock()
	subs, sessions := slices.Clone(s.subscriptions), s.sessions
	s.mu.Unlock()
	for _, sub := range subs {
		if sub.grants(kind, uri) {
			tagged := clone(params)
			tagged["_meta"] = object{keySubscription: sub.x.id}
			s.do.subscriptions.tell(sub, method, tagged)
		}
	}
	for _, ses := range sessions {
		revision, _, _ := ses.view()
		if revision == "" || uri != "" && !ses.watches(uri) {
			continue
		}
		for _, m := range s.rewritten(nil, object{"jsonrpc": "2.0", "method": method, "params": clone(params)}) {
			ses.push(m)
		}
	}
}

func (sub *subscription) grants(kind, uri string) bool {
	if uri != "" {
		return contains(asList(sub.granted[kind]), uri)
	}
	return sub.granted[kind] == true
}

func tell(sub *subscription, method string, params object) { sub.x.notify(method, params) }
