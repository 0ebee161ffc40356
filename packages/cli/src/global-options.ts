import type { Options } from './command.ts'

/** The options of every command. */
export const globalOptions = {
  url: { value: 'URL', help: "The server's origin. Default: WAYSTATION_URL, or http://localhost:3000." },
  key: { value: 'secret', help: 'An API key or a session token. Default: WAYSTATION_API_KEY.' },
  json: { help: 'Print JSON for programs.' },
  help: { help: 'Show this help.' }
} as const satisfies Options
