package readers

import "github.com/agntn/conform/fakes/readers/internal/serde"

// rustCall is the tools/call result of the Rust SDK.
func rustCall() serde.Type { return serde.Any }
