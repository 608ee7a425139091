//go:build !unix

package suite

import (
	"context"
	"errors"
)

// run has no POSIX shell here.
func (l *line) run(context.Context) { l.err = errors.ErrUnsupported }
