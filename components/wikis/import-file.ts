import { type ImportedWiki, wikiLimits } from '@waystation/protocol/wiki/wiki.ts'
import { client } from '#components/browser/client.ts'
import { errorText } from '#components/browser/error-text.ts'
import { replyTo } from '#components/browser/reply.ts'

/** A result as a sentence for the user. `ok` is true if the action succeeded. */
export type WikiResult = { ok: boolean; words: string }

/** The types of files that can be imported, for a file input. */
export const wikiFiles = '.json,.tid,.html,.htm'

/** Imports a file into a wiki. */
export async function importFile(wiki: string, file: File): Promise<WikiResult> {
  const { importBytes } = wikiLimits
  if (file.size > importBytes) {
    const words = `${file.name} is larger than ${importBytes / 2 ** 20} MiB. Nothing was imported.`
    return { ok: false, words }
  }
  const headers = { 'content-type': 'text/plain' }
  const query = { file: file.name }
  const reply = await replyTo(client.call('importWiki', { path: { wiki }, query, headers, body: file }))
  if (reply.ok) return { ok: true, words: importedWords(reply.body, file.name) }
  return { ok: false, words: errorText(reply, 'Check whether the file was imported before you try again.') }
}

/**
 * Returns the outcome as text: "Imported 12 pages from notes.html. Skipped 4: …". Tiddlers of TiddlyWiki
 * itself are not mentioned.
 */
function importedWords({ imported, skipped, skippedCount }: ImportedWiki, name: string): string {
  const brought = `Imported ${imported} ${imported === 1 ? 'page' : 'pages'} from ${name}.`
  const others = skipped.filter(({ why }) => !why.includes('TiddlyWiki itself'))
  if (others.length === 0) return brought
  const own = skipped.length - others.length
  const named = others.slice(0, 3).map(({ title, why }) => `“${title}” (${why})`)
  return `${brought} Skipped ${skippedCount - own}: ${named.join(' ')}${others.length > 3 ? ' …' : ''}`
}

/** Returns a name for a wiki, derived from the name of a file. */
export const wikiNameOf = (file: string): string =>
  file
    .replace(/\.[^.]*$/, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 64)
