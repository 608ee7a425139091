package readers

import "github.com/dlclark/regexp2"

// plainRegexCompiles says whether a pattern compiles as an ECMAScript one
// without the u flag. Nothing is matched with it.
func plainRegexCompiles(pattern string) (ok bool) {
	defer func() {
		if recover() != nil {
			ok = false
		}
	}()
	_, err := regexp2.Compile(pattern, regexp2.ECMAScript)
	return err == nil
}
