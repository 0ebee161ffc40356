import type { Actor, Held, HoldPlace } from '#lib/kernel/ctx.ts'
import { log } from '#lib/kernel/log.ts'
import type { OpenStreams } from '#lib/kernel/ports/open-streams.ts'
import { Refusal } from '#lib/kernel/refusal.ts'

type Reader = { lookedAt: number; look: () => Promise<unknown>; end: AbortController }

/** So many times in `everyMs` the timer finds the streams that are due: what was opened together is not all looked at at once. */
const slices = 8

/**
 * The open streams of a process. One timer checks the access of all their readers, each at the latest every `everyMs`. It asks
 * for those that are due in the same moment, so that their lookups become one statement of each kind.
 */
export function openStreamsWith(hold: HoldPlace, everyMs: number): OpenStreams {
  /** Those that were looked at the longest ago come first. */
  const readers = new Set<Reader>()
  let timer: NodeJS.Timeout | undefined

  const lookAgain = async () => {
    const now = performance.now()
    const due: Reader[] = []
    for (const reader of readers) {
      if (now - reader.lookedAt < everyMs - everyMs / slices) break
      due.push(reader)
    }
    for (const reader of due) {
      readers.delete(reader)
      reader.lookedAt = now
      readers.add(reader)
    }
    const faults = await Promise.all(due.map(({ look, end }) => faultOf(look, end)))
    const error = faults.find(fault => fault !== undefined)
    // They stay, and are looked at next time: a database that cannot be reached takes access from nobody.
    if (error !== undefined) log('warn', 'The access rights of open streams could not be checked.', { error })
  }

  return (actor, look, what) => {
    const held = all(
      placesOf(actor, what === 'export').map(
        ([kind, who]) =>
          () =>
            hold(kind, who)
      )
    )
    const end = new AbortController()
    const reader = { lookedAt: performance.now(), look, end }
    readers.add(reader)
    timer ??= setInterval(() => void lookAgain(), everyMs / slices).unref()
    return {
      signal: end.signal,
      leave() {
        held()
        readers.delete(reader)
        if (readers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    }
  }
}

/** Ends a stream whose reader is refused; what else goes wrong is returned. */
async function faultOf(look: Reader['look'], end: AbortController): Promise<unknown> {
  try {
    await look()
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) return error
    end.abort(error)
    return undefined
  }
}

/** The places that a reader's stream needs. */
function placesOf(actor: Actor, isExport: boolean): [Held, string][] {
  const own = ownOf(actor)
  const exports: [Held, string][] = isExport && own[0] ? [['export', own[0].join(' ')]] : []
  return [...own, ...exports, ['stream', '']]
}

/** By what a reader's own streams are counted. An end user may have many tokens, so they are counted by both. */
function ownOf(actor: Actor): [Held, string][] {
  switch (actor.kind) {
    case 'subject':
      return [
        ['tokenStream', actor.tokenId],
        ['subjectStream', `${actor.workspaceId} ${actor.subject}`]
      ]
    case 'person':
      return [['memberStream', `${actor.workspaceId} ${actor.userId}`]]
    case 'key':
      return [['keyStream', actor.keyId]]
    case 'system':
      return []
  }
}

/** Takes all of them or, when one is refused, none. */
function all(takes: (() => () => void)[]): () => void {
  const taken: (() => void)[] = []
  const release = () => {
    for (const one of taken) one()
  }
  try {
    for (const take of takes) taken.push(take())
  } catch (error) {
    release()
    throw error
  }
  return release
}
