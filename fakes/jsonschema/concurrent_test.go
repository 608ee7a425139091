package jsonschema

import (
	"sync"
	"testing"
)

// TestConcurrentUse is for the race detector: schemas are shared between readers.
func TestConcurrentUse(t *testing.T) {
	t.Parallel()
	const schema = `{"properties":{"a":{"pattern":"^a+$"},"b":{"$ref":"#"}},"patternProperties":{"^x":{"type":"string"}},"uniqueItems":true}`
	s := mustCompile(t, schema)
	other, err := AJV([]byte(schema))
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 20 {
				if found, err := s.Problems([]byte(`{"a":"b","b":{"a":"aa","xy":1}}`)); err != nil || len(found) != 2 {
					t.Errorf("got %v, %v", found, err)
				}
				if errs, err := other.Errors([]byte(`{"a":"b","b":{"a":"aa","xy":1}}`)); err != nil || len(errs) != 2 {
					t.Errorf("got %v, %v", errs, err)
				}
			}
		})
	}
	group.Wait()
}
