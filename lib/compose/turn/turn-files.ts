import type { AcceptedFiles } from '@waystation/protocol/session/file.ts'
import { maxTextBytes, storedFileOf } from '@waystation/protocol/session/stored-file.ts'
import type { AttachedFiles, FilePart, FileRendering } from '#lib/engine/turn/attached-files.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { plan } from './plan-files.ts'

type Loaded = { as: 'file'; data: string } | Exclude<FileRendering, { as: 'file' }>

/**
 * Returns a function that loads the stored files of a turn's context window. Each file that the model receives
 * is read once per turn and released when it leaves the prompt. Other files are not read. `budget` is the
 * maximum number of bytes of a prompt's files.
 */
export function turnFiles(ctx: Ctx, sessionKey: number, budget: number) {
  const loaded = new Map<string, Loaded>()
  return async (
    entries: readonly ContextEntry[],
    takes: AcceptedFiles
  ): Promise<AttachedFiles | undefined> => {
    const supportedFiles = storedFilesIn(entries)
    if (supportedFiles.length === 0) {
      loaded.clear()
      return undefined
    }
    const planned = plan(supportedFiles, takes, budget)
    const urls = [...planned].filter(([, { as }]) => as !== 'line').map(([url]) => url)
    for (const url of loaded.keys()) if (!urls.includes(url)) loaded.delete(url)
    const missing = urls.filter(url => !loaded.has(url))
    if (missing.length > 0) await load(ctx, sessionKey, missing, { loaded, standing: planned })
    const files = urls.flatMap(url => {
      const file = loaded.get(url)
      return file === undefined ? [] : [[url, file] as const]
    })
    return {
      standing: new Map([...planned, ...files]),
      data: new Map(files.flatMap(([url, file]) => (file.as === 'file' ? [[url, file.data] as const] : [])))
    }
  }
}

function storedFilesIn(entries: readonly ContextEntry[]): FilePart[] {
  const files: FilePart[] = []
  for (const entry of entries) {
    if (entry.kind !== 'user') continue
    for (const part of entry.parts)
      if (part.type === 'file' && storedFileOf(part) !== undefined) files.push(part)
  }
  return files
}

async function load(
  { sql }: Ctx,
  sessionKey: number,
  urls: readonly string[],
  { loaded, standing }: { loaded: Map<string, Loaded>; standing: ReadonlyMap<string, FileRendering> }
): Promise<void> {
  const idOf = (url: string) => storedFileOf({ url })?.fileId ?? ''
  const texts = urls.filter(url => standing.get(url)?.as === 'text')
  const rows = await sql<{ id: string; size: number; bytes: Buffer }[]>`
    select id, size, case when id = any(${texts.map(idOf)}) then substring(bytes for ${maxTextBytes}) else bytes end as bytes
    from files where session_key = ${sessionKey} and id = any(${urls.map(idOf)})`
  for (const url of urls) {
    const row = rows.find(({ id }) => id === idOf(url))
    if (row === undefined) loaded.set(url, { as: 'line', why: 'it is no longer stored' })
    else if (standing.get(url)?.as === 'text') loaded.set(url, decodeText(row))
    else loaded.set(url, { as: 'file', data: row.bytes.toString('base64') })
  }
}

/** Decodes a text file. A truncated text ends between two characters. */
function decodeText({ bytes, size }: { bytes: Buffer; size: number }): Loaded {
  const omittedBytes = size - bytes.byteLength
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: omittedBytes > 0 })
    if (text.includes('\0')) return unreadable
    return omittedBytes > 0 ? { as: 'text', text, cut: omittedBytes } : { as: 'text', text }
  } catch (error) {
    if (error instanceof TypeError) return unreadable
    throw error
  }
}

const unreadable: Loaded = { as: 'line', why: 'it cannot be read as text' }
