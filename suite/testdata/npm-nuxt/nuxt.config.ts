// Two builds of one application: without MCP sessions and nitro's asyncContext as they are by default, and
// with both when SESSIONS=1. OUTPUT is the folder that the build goes to.
export default defineNuxtConfig({
  modules: ["@nuxtjs/mcp-toolkit"],
  ssr: false,
  telemetry: false,
  mcp: { name: "text", version: "1.0.0", sessions: { enabled: process.env.SESSIONS === "1" } },
  nitro: {
    experimental: { asyncContext: process.env.SESSIONS === "1" },
    output: { dir: process.env.OUTPUT ?? ".output" },
  },
});
