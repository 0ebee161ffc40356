import { pathToFileURL } from 'node:url'
import type { Redaction } from '#lib/kernel/redact.ts'
import { BadSettings } from './env.ts'

const holds = ['word', 'line', 'block'] as const

/**
 * The redaction in an ES module of the operator's own (WAYSTATION_REDACT): its default export, and `holdBack` if it has
 * one. Throws `BadSettings` when there is no such thing, so that no server runs without what it was told to do.
 *
 * @param path absolute
 */
export async function loadRedaction(path: string): Promise<Redaction> {
  const fault = (what: string) => new BadSettings([`WAYSTATION_REDACT ${what}`])
  const module: Record<string, unknown> = await import(pathToFileURL(path).href).catch(error => {
    throw fault(`cannot be loaded from ${path}: ${error instanceof Error ? error.message : String(error)}`)
  })
  const { default: redact, holdBack = 'word' } = module
  if (typeof redact !== 'function')
    throw fault(
      `has no function as its default export: ${path} must export default (text, { kind, workspaceId }) => string.`
    )
  const hold = holds.find(hold => hold === holdBack)
  if (hold === undefined)
    throw fault(`exports an invalid holdBack. Export one of ${holds.map(hold => `"${hold}"`).join(', ')}.`)
  return { redact: redact as Redaction['redact'], holdBack: hold }
}
