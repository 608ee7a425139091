package scenarios

import "github.com/agntn/conform/scenarios/message"

// All returns the catalogue of everything conform asks and judges.
func All() Catalogue {
	shapes := message.New() // read once: it is large
	return Catalogue{
		opening(),
		listing(),
		presentation(),
		inputExamplesScenario(),
		unknownTool(),
		badInputScenario(),
		thrownError(),
		outputSchema(),
		content(shapes),
		progress(),
		cancellation(),
		elicitation(shapes),
		inputRequired(shapes),
		sampling(),
		rootsList(),
		parity(),
		envelope(),
		meta(),
		framing(),
		shutdown(),
		concurrency(),
		streamableHTTP(),
		authorization(),
		messages(shapes),
		resources(),
		prompts(),
		completion(),
		logging(),
		subscriptions(),
		caching(),
		tasks(),
		hosts(),
		clients(shapes),
	}
}
