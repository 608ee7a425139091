#!/usr/bin/env node
"use strict";
// Starts the conform program of this platform, which is an optional dependency.
const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const name = `@agntn/conform-${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "conform.exe" : "conform";

let program;
try {
  program = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(
    `conform: the package ${name} is not installed. Either there is no conform for this platform, or optional ` +
      "dependencies were left out: install again with --include=optional, or build it with go install " +
      "github.com/agntn/conform/cmd/conform@latest",
  );
  process.exit(4);
}

const child = spawn(program, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
// A terminal sends SIGINT to both; sent on, it would count twice, and twice means at once.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (err) => {
  console.error(`conform: cannot start ${program}: ${err.message}`);
  process.exit(4);
});
child.on("exit", (code, signal) => process.exit(code ?? 128 + (constants.signals[signal] ?? 0)));
