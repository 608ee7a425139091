package scenarios

import (
	"github.com/tidwall/gjson"

	"github.com/agntn/conform/fakes/wire"
)

// subscriptionOf is the subscription id that a notification carries, which does
// not exist when it carries none.
func subscriptionOf(m *wire.Message) gjson.Result {
	return m.Root.Get(`params._meta.io\.modelcontextprotocol/subscriptionId`)
}
