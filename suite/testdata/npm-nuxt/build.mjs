// Builds the application twice, into .output/stateless and .output/sessions.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const here = (path) => fileURLToPath(new URL(path, import.meta.url));

for (const [name, sessions] of [
  ["stateless", "0"],
  ["sessions", "1"],
]) {
  const { status } = spawnSync(
    process.execPath,
    [
      "--require",
      here("node20-set.cjs"),
      here("node_modules/nuxt/bin/nuxt.mjs"),
      "build",
      "--logLevel=silent",
    ],
    {
      cwd: here("."),
      stdio: ["ignore", "inherit", "inherit"],
      env: { ...process.env, OUTPUT: `.output/${name}`, SESSIONS: sessions, NUXT_TELEMETRY_DISABLED: "1" },
    },
  );
  if (status !== 0) {
    rmSync(here(`.output/${name}`), { recursive: true, force: true });
    process.exit(1);
  }
}
