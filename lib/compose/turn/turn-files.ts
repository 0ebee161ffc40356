import type { AttachedFiles, Standing, Takes } from '#lib/engine/turn/attached-files.ts'
import type { ContextEntry } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { keptFile, mostTextBytes } from '#lib/protocol/session/kept-file.ts'
import { plan } from './plan-files.ts'

type Loaded = { as: 'file'; data: string } | Exclude<Standing, { as: 'file' }>

/**
 * The kept files of a turn's window. What a model is given of one is read once a turn, and let go when it leaves the prompt;
 * of the others nothing is read. `budget`: the bytes that a prompt's files may have.
 */
export function turnFiles(ctx: Ctx, sessionKey: number, budget: number) {
  const loaded = new Map<string, Loaded>()
  return async (entries: readonly ContextEntry[], takes: Takes): Promise<AttachedFiles | undefined> => {
    const parts = entries.flatMap(entry => (entry.kind === 'user' ? entry.parts : []))
    const kept = parts.flatMap(part => (part.type === 'file' && keptFile(part) !== undefined ? [part] : []))
    if (kept.length === 0) {
      loaded.clear()
      return undefined
    }
    const standing = plan(kept, takes, budget)
    const wanted = [...standing].filter(([, { as }]) => as !== 'line').map(([url]) => url)
    for (const url of loaded.keys()) if (!wanted.includes(url)) loaded.delete(url)
    const missing = wanted.filter(url => !loaded.has(url))
    if (missing.length > 0) await load(ctx, sessionKey, missing, { loaded, standing })
    const files = wanted.flatMap(url => {
      const file = loaded.get(url)
      return file === undefined ? [] : [[url, file] as const]
    })
    return {
      standing: new Map([...standing, ...files]),
      data: new Map(files.flatMap(([url, file]) => (file.as === 'file' ? [[url, file.data] as const] : [])))
    }
  }
}

async function load(
  { sql }: Ctx,
  sessionKey: number,
  urls: readonly string[],
  { loaded, standing }: { loaded: Map<string, Loaded>; standing: ReadonlyMap<string, Standing> }
): Promise<void> {
  const idOf = (url: string) => keptFile({ url })?.fileId ?? ''
  const texts = urls.filter(url => standing.get(url)?.as === 'text')
  const rows = await sql<{ id: string; size: number; bytes: Buffer }[]>`
    select id, size, case when id = any(${texts.map(idOf)}) then substring(bytes for ${mostTextBytes}) else bytes end as bytes
    from files where session_key = ${sessionKey} and id = any(${urls.map(idOf)})`
  for (const url of urls) {
    const row = rows.find(({ id }) => id === idOf(url))
    if (row === undefined) loaded.set(url, { as: 'line', why: 'it is no longer stored' })
    else if (standing.get(url)?.as === 'text') loaded.set(url, textOf(row))
    else loaded.set(url, { as: 'file', data: row.bytes.toString('base64') })
  }
}

/** A text that is cut is cut between two characters. */
function textOf({ bytes, size }: { bytes: Buffer; size: number }): Loaded {
  const cut = size - bytes.byteLength
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: cut > 0 })
    if (text.includes('\0')) return unreadable
    return cut > 0 ? { as: 'text', text, cut } : { as: 'text', text }
  } catch (error) {
    if (error instanceof TypeError) return unreadable
    throw error
  }
}

const unreadable: Loaded = { as: 'line', why: 'it cannot be read as text' }
