import { digestOf } from '@waystation/base/digest.ts'
import { z } from 'zod'
import type { ResolvedTool } from './resolved-tool.ts'
import type { Tool } from './tool.ts'

/** Default time limit of a foreign tool's call in seconds. */
export const foreignSeconds = 60

/** Maximum length of a tool name that models accept. */
const maxNameChars = 64

/**
 * Converts a foreign name to a tool name that models accept. A name that had to be changed or cut ends with a part of
 * its digest, so that different names stay different.
 */
export function toolNameOf(name: string): string {
  const plain = name.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (plain === name && name.length <= maxNameChars) return name
  return `${plain.slice(0, maxNameChars - 9)}_${digestOf(name).slice(0, 8)}`
}

/** The arguments of a foreign tool. Its `inputSchema` validates them (`fit-arguments.ts`). */
export const anyArguments = z.record(z.string(), z.unknown())

/** Returns a tool that runs on this server but has a foreign schema, without the agent's settings. */
export const foreignTool = (tool: Tool<Record<string, unknown>>): ResolvedTool => ({
  name: tool.name,
  description: tool.description,
  inputSchema: {},
  outputSchema: () => undefined,
  where: 'server',
  kind: 'server',
  title: () => undefined,
  repeatable: false,
  retries: 0,
  server: tool as unknown as Tool,
  foreign: true
})
