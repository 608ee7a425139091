package sample

import "slices"

// logLevels from least to most severe.
func logLevels() []string {
	return []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"}
}

const levelInfo = 1

// log sends a log message that belongs to the exchange, when the client wants
// such messages: by logging/setLevel before 2026-07-28, by the request itself since.
func (x *exchange) log(level int, data object) {
	if !x.srv.do.logging.wants(x, level) {
		return
	}
	x.notify("notifications/message", x.srv.do.logging.params(level, data))
}

// wantsLog says that the client asked for messages of that level.
func wantsLog(x *exchange, level int) bool {
	return x.level >= 0 && level >= x.level && x.srv.do.capabilities(x)["logging"] != nil
}

func logParams(level int, data object) object {
	return object{"level": logLevels()[level], "logger": "sample.tools", "data": data}
}

func setLevel(x *exchange) (object, *failure) {
	name, _ := x.params["level"].(string)
	level := slices.Index(logLevels(), name)
	if level < 0 && !x.srv.do.logging.anyLevel {
		return nil, fail(codeInvalidParams, "level must be one of the eight log levels")
	}
	x.ses.mu.Lock()
	x.ses.level = level
	x.ses.mu.Unlock()
	return object{}, nil
}
