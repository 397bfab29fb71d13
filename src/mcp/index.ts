export { mcp, type McpOptions, type McpTarget } from "./source.ts";
export type { HttpTarget } from "./client.ts";
export type { Override } from "./definition.ts";
export type { StdioTarget } from "./stdio.ts";
export { serve, type ServeOptions, type Served } from "./server.ts";
