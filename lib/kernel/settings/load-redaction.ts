import { pathToFileURL } from 'node:url'
import type { Redaction } from '#lib/kernel/ports/redaction.ts'
import { BadSettings } from './env.ts'

const holdBackValues = ['word', 'line', 'block'] as const

/**
 * Loads the operator's redaction from an ES module (WAYSTATION_REDACT): its default export, and `holdBack` if it
 * exports one. Throws `BadSettings` if the module is unusable, so that no server runs without the configured redaction.
 * @param path absolute
 */
export async function loadRedaction(path: string): Promise<Redaction> {
  const badSettings = (what: string) => new BadSettings([`WAYSTATION_REDACT ${what}`])
  const module: Record<string, unknown> = await import(pathToFileURL(path).href).catch(error => {
    throw badSettings(
      `cannot be loaded from ${path}: ${error instanceof Error ? error.message : String(error)}`
    )
  })
  const { default: redact, holdBack = 'word' } = module
  if (typeof redact !== 'function')
    throw badSettings(
      `has no function as its default export: ${path} must export default (text, { kind, workspaceId }) => string.`
    )
  const hold = holdBackValues.find(hold => hold === holdBack)
  if (hold === undefined)
    throw badSettings(
      `exports an invalid holdBack. Export one of ${holdBackValues.map(hold => `"${hold}"`).join(', ')}.`
    )
  return { redact: redact as Redaction['redact'], holdBack: hold }
}
