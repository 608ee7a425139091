// Makes the npm packages of a release: one for each platform with the program in
// it, and the one that people install, which has them as optional dependencies.
//
//   node npm/build.mjs --dist dist --version 1.2.3 --out npm-packages [--partial]
//
// dist is what goreleaser wrote; its artifacts.json names the programs. Without
// --partial every platform has to be there.
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

// npm's name of each platform, by Go's.
const platforms = {
  "linux/amd64": ["linux", "x64"],
  "linux/arm64": ["linux", "arm64"],
  "darwin/amd64": ["darwin", "x64"],
  "darwin/arm64": ["darwin", "arm64"],
  "windows/amd64": ["win32", "x64"],
  "windows/arm64": ["win32", "arm64"],
};

const { values } = parseArgs({
  options: {
    dist: { type: "string", default: "dist" },
    version: { type: "string" },
    out: { type: "string", default: "npm-packages" },
    partial: { type: "boolean", default: false },
  },
});
const version = values.version?.replace(/^v/, "");
if (!/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version ?? "")) fail("--version has to be like 1.2.3");

const here = dirname(fileURLToPath(import.meta.url));
const main = JSON.parse(readFileSync(join(here, "package.json"), "utf8"));
const programs = JSON.parse(readFileSync(join(values.dist, "artifacts.json"), "utf8")).filter((a) => a.type === "Binary");

rmSync(values.out, { recursive: true, force: true });
const optional = {};
for (const [go, [os, cpu]] of Object.entries(platforms)) {
  const name = `${main.name}-${os}-${cpu}`;
  optional[name] = version;
  const found = programs.find((a) => `${a.goos}/${a.goarch}` === go);
  if (!found) {
    if (values.partial) continue;
    fail(`${values.dist} has no program for ${go}`);
  }
  const folder = join(values.out, `conform-${os}-${cpu}`);
  const program = join("bin", os === "win32" ? "conform.exe" : "conform");
  mkdirSync(join(folder, "bin"), { recursive: true });
  copyFileSync(found.path, join(folder, program));
  chmodSync(join(folder, program), 0o755);
  copyFileSync(join(here, "../LICENSE"), join(folder, "LICENSE"));
  write(folder, {
    name,
    version,
    description: `conform for ${os} on ${cpu}; install ${main.name} instead`,
    ...pick(main, ["homepage", "repository", "license", "publishConfig"]),
    os: [os],
    cpu: [cpu],
    files: ["bin"],
    preferUnplugged: true,
  });
}

const folder = join(values.out, "conform");
mkdirSync(join(folder, "bin"), { recursive: true });
copyFileSync(join(here, "bin/conform.js"), join(folder, "bin/conform.js"));
for (const file of ["LICENSE", "conform.schema.json"]) copyFileSync(join(here, "..", file), join(folder, file));
copyFileSync(join(here, "README.md"), join(folder, "README.md"));
write(folder, { ...main, version, optionalDependencies: optional });

function pick(from, keys) {
  return Object.fromEntries(keys.map((k) => [k, from[k]]));
}

function write(folder, manifest) {
  writeFileSync(join(folder, "package.json"), JSON.stringify(manifest, null, 2) + "\n");
}

function fail(text) {
  console.error(`build.mjs: ${text}`);
  process.exit(1);
}
