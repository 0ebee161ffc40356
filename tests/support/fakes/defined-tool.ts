// In tests, Vite imports the modules of the folder, so they cannot import by name what the server lends to them.
const [tools, zod] = ['@waystation/tools', 'zod'].map(name => JSON.stringify(import.meta.resolve(name)))

/** Returns the source of a module for WAYSTATION_TOOLS, for a server in the test's process. */
export const toolModule = (fields: string): string => `
  import { defineTool } from ${tools}
  import { z } from ${zod}
  export default defineTool({ description: 'For tests.', inputSchema: z.looseObject({}), ${fields} })`

/** Returns the source of a tool that runs without approval. `execute` is its function. */
export const autoTool = (name: string, execute: string, more = ''): string =>
  toolModule(`name: '${name}', approval: 'auto', ${more} execute: ${execute}`)
