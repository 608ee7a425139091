package scenarios

import (
	"slices"

	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// subscriptionOf is the subscription id that a notification carries, which does
// not exist when it carries none.
func subscriptionOf(m *wire.Message) gjson.Result {
	return m.Root.Get(`params._meta.io\.modelcontextprotocol/subscriptionId`)
}

// stateless returns the tapes of the cell's revision and transport on which no
// handshake was made: a server of both eras may speak the older one after it.
func (e *Evidence) stateless() []*wire.Tape {
	return slices.DeleteFunc(e.Run.Select("", e.Cell.Revision, e.Cell.Transport), func(t *wire.Tape) bool {
		return slices.ContainsFunc(e.Run.Exchanges(t), func(x *Exchange) bool { return x.Request.Method == "initialize" && x.Result().Exists() })
	})
}
