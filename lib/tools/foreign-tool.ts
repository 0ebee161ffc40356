import { z } from 'zod'
import { digestOf } from '#lib/kernel/digest.ts'
import type { ResolvedTool } from './resolve.ts'
import type { Tool } from './tool.ts'

/** How long a call of a tool that another program runs may take when its agent does not say. Seconds. */
export const foreignSeconds = 60

/** The longest name that models take. */
const longestName = 64

/** A name of somebody else's as models take it: one that had to be changed or cut has a part of its digest behind it, so that two
 * never become the same. */
export function toolNameOf(whole: string): string {
  const plain = whole.replaceAll(/[^A-Za-z0-9_-]/g, '_')
  if (plain === whole && whole.length <= longestName) return whole
  return `${plain.slice(0, longestName - 9)}_${digestOf(whole).slice(0, 8)}`
}

/** The arguments of such a tool: its `inputSchema` is what checks them (`fit-arguments.ts`). */
export const anyArguments = z.record(z.string(), z.unknown())

/** A tool that runs on this server and whose schema nobody here wrote, without its agent's settings. */
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
