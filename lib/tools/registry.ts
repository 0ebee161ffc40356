import { askQuestion } from './ask-question.ts'
import { clientInfo } from './client-info.ts'
import type { Tool } from './tool.ts'
import { webFetch } from './web-fetch.ts'

/** Every tool this server brings, by name. */
export const builtIn: ReadonlyMap<string, Tool<never, unknown>> = new Map(
  [askQuestion, clientInfo, webFetch].map(tool => [tool.name, tool as unknown as Tool<never, unknown>])
)
