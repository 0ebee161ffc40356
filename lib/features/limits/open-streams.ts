import { ApiError } from '@waystation/base/api-error.ts'
import { log } from '@waystation/base/log.ts'
import type { AcquireSlot, Actor, ConcurrencyKind } from '#lib/kernel/ctx.ts'
import type { OpenStreams } from '#lib/kernel/ports/open-streams.ts'

type Reader = { lookedAt: number; look: () => Promise<unknown>; end: AbortController }

/** The timer runs this many times in `everyMs`, so that streams that opened together are not all checked together. */
const slices = 8

/**
 * Manages the open streams of a process. One timer checks the access of all readers, each at least once in
 * `everyMs`. It checks all due readers at the same moment, so that their lookups share one statement of each
 * kind.
 */
export function openStreamsWith(acquire: AcquireSlot, everyMs: number): OpenStreams {
  /** Ordered by the last check, oldest first. */
  const readers = new Set<Reader>()
  let timer: NodeJS.Timeout | undefined

  const checkDue = async () => {
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
    const errors = await Promise.all(due.map(({ look, end }) => errorOf(look, end)))
    const error = errors.find(error => error !== undefined)
    // Keep these streams and check them next time: an unreachable database must not end access.
    if (error !== undefined) log('warn', 'The access rights of open streams could not be checked.', { error })
  }

  return (actor, look, what) => {
    const release = acquireAll(
      placesOf(actor, what === 'export').map(
        ([kind, owner]) =>
          () =>
            acquire(kind, owner)
      )
    )
    const end = new AbortController()
    const reader = { lookedAt: performance.now(), look, end }
    readers.add(reader)
    timer ??= setInterval(() => void checkDue(), everyMs / slices).unref()
    return {
      signal: end.signal,
      leave() {
        release()
        readers.delete(reader)
        if (readers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    }
  }
}

/** Aborts the stream if the check throws an ApiError, and returns any other error. */
async function errorOf(look: Reader['look'], end: AbortController): Promise<unknown> {
  try {
    await look()
    return undefined
  } catch (error) {
    if (!(error instanceof ApiError)) return error
    end.abort(error)
    return undefined
  }
}

/** Returns the places that count a reader's stream: one kind and owner for each limit. */
function placesOf(actor: Actor, isExport: boolean): [ConcurrencyKind, string][] {
  const ownPlaces = ownOf(actor)
  const exports: [ConcurrencyKind, string][] =
    isExport && ownPlaces[0] ? [['export', ownPlaces[0].join(' ')]] : []
  return [...ownPlaces, ...exports, ['stream', '']]
}

/**
 * Returns the places that belong to the reader. An end user can have many tokens, so both the token and the
 * end user count.
 */
function ownOf(actor: Actor): [ConcurrencyKind, string][] {
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

/** Takes all places, or none if one of them is full. */
function acquireAll(acquires: (() => () => void)[]): () => void {
  const releases: (() => void)[] = []
  const release = () => {
    for (const releaseOne of releases) releaseOne()
  }
  try {
    for (const acquire of acquires) releases.push(acquire())
  } catch (error) {
    release()
    throw error
  }
  return release
}
