package scenarios

// All returns the catalogue of everything conform asks and judges.
func All() Catalogue {
	return Catalogue{
		opening(),
		listing(),
		presentation(),
		inputExamplesScenario(),
		unknownTool(),
		badInputScenario(),
		thrownError(),
		outputSchema(),
		content(),
		progress(),
		cancellation(),
		elicitation(),
		inputRequired(),
		sampling(),
		rootsList(),
		parity(),
		envelope(),
		meta(),
		framing(),
		shutdown(),
		concurrency(),
		messages(),
		resources(),
		prompts(),
		completion(),
		logging(),
		subscriptions(),
		caching(),
		tasks(),
		hosts(),
		clients(),
	}
}
