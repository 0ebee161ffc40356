import type { CallResult } from '@waystation/protocol/call/call.ts'
import type { UserPart } from '@waystation/protocol/session/message.ts'
import { oobSize } from '#lib/engine/inbox/collapse-out-of-band.ts'
import type { AssistantContent, ContextEntry, PromptOob, ShortOob } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { readEntries, type StoredEntry } from './context-entries.ts'

/**
 * Maximum size of all cached windows together, in characters of JSON. The least recently used window is
 * dropped first.
 */
const maxChars = 16_000_000

type CachedWindow = {
  generation: number
  cuts: number
  entries: ContextEntry[]
  sizes: number[]
  size: number
  /** The prompt of the newest step that this process committed. */
  prompt: object | undefined
}

type WindowState = { tokens: number; summary: string; shortOob: ShortOob; cuts: number }
/** A context window. `summary` covers the entries before it. */
export type CurrentWindow = WindowState & { entries: ContextEntry[] }

/**
 * Caches the context windows of the sessions that this process advanced last, so a step reads only new
 * entries (docs/concepts/engine.md#prompt).
 *
 * Entries before the newest cached step never change, even under another owner, except in two cases. If a
 * person removes a turn, `cuts` increases. A plugin can replace an entry, but only before a step has read it.
 * Entries from the newest step on are read again, because its calls can still be settled.
 *
 * Each window also holds the last prompt, which shares its messages with the window or, if a plugin rewrites
 * them, needs as much memory again.
 */
export class WindowCache {
  /** Ordered by last use, oldest first. */
  readonly #windows = new Map<number, CachedWindow>()
  #size = 0

  /** Tells whether a window is cached, so that a read gets only its newest entries. */
  has = (sessionKey: number): boolean => this.#windows.has(sessionKey)

  /** Reads the current window. */
  async read(ctx: Ctx, sessionKey: number): Promise<CurrentWindow> {
    return (await this.readOnce(ctx, sessionKey)) ?? this.read(ctx, sessionKey)
  }

  /**
   * Reads the current window in one round trip. Drops the cached one and returns undefined if the session has a
   * new generation, or a turn was removed.
   */
  async readOnce(ctx: Ctx, sessionKey: number): Promise<CurrentWindow | undefined> {
    const cached = this.#windows.get(sessionKey)
    const newestStep = cached?.entries.findLastIndex(entry => entry.kind === 'step') ?? -1
    const known = newestStep < 0 ? [] : (cached?.entries.slice(0, newestStep) ?? [])
    const [[session], fresh] = await Promise.all([
      ctx.sql<(WindowState & { start: number; generation: number })[]>`
        select s.context_start as start, s.context_tokens as tokens, s.summary, h.generation,
          s.context_cuts as cuts, json_build_object('upTo', s.oob_start, 'characters', ${oobSize(ctx, 'characters')}) as short_oob
        from sessions s join heads h on h.session_key = s.key where s.key = ${sessionKey}`,
      readEntries(ctx, sessionKey, known.at(-1)?.id ?? 0)
    ])
    if (session === undefined) throw new Error(`Session ${sessionKey} is not stored.`)
    const { start, tokens, summary, shortOob, generation, cuts } = session
    if (cached !== undefined && (cached.generation !== generation || cached.cuts !== cuts)) {
      this.#drop(sessionKey)
      return undefined
    }
    const firstInside = known.findIndex(entry => entry.id > start)
    const from = firstInside < 0 ? known.length : firstInside
    const entries = [...known.slice(from), ...fresh.map(entryOf)]
    const sizes = [
      ...(cached?.sizes.slice(from, known.length) ?? []),
      ...fresh.map(row => JSON.stringify(row).length)
    ]
    this.#store(sessionKey, {
      generation,
      cuts,
      entries,
      sizes,
      size: sizes.reduce((sum, size) => sum + size, 0),
      prompt: cached?.prompt
    })
    return { entries, tokens, summary, shortOob, cuts }
  }

  /** Returns the prompt that was stored last; undefined if its window was dropped. */
  promptOf<Prompt extends object>(sessionKey: number): Prompt | undefined {
    return this.#windows.get(sessionKey)?.prompt as Prompt | undefined
  }

  /** Stores the prompt with the session's cached window, if there is one. */
  keepPrompt(sessionKey: number, prompt: object): void {
    const cached = this.#windows.get(sessionKey)
    if (cached !== undefined) cached.prompt = prompt
  }

  #store(sessionKey: number, cached: CachedWindow): void {
    this.#drop(sessionKey)
    this.#windows.set(sessionKey, cached)
    this.#size += cached.size
    for (const oldest of this.#windows.keys()) {
      if (this.#size <= maxChars) break
      this.#drop(oldest)
    }
  }

  #drop(sessionKey: number): void {
    this.#size -= this.#windows.get(sessionKey)?.size ?? 0
    this.#windows.delete(sessionKey)
  }
}

/** Converts a stored entry to an entry of the prompt. */
export function entryOf(row: StoredEntry): ContextEntry {
  const { duration } = row.payload as { duration?: number }
  const entry = withoutDuration(row)
  return duration === undefined ? entry : { ...entry, duration }
}

function withoutDuration(row: StoredEntry): ContextEntry {
  const { id, tokens, payload } = row
  switch (row.kind) {
    case 'user':
      return { id, kind: 'user', parts: payload.parts as UserPart[], tokens }
    case 'step':
      return {
        id,
        kind: 'step',
        content: payload.content as AssistantContent,
        calls: (row.calls ?? []).map(({ duration, ...call }) => ({
          ...call,
          // A plugin can replace the result that the model receives.
          result: (payload.told as Record<string, CallResult> | undefined)?.[call.toolCallId] ?? call.result,
          editedInput: call.editedInput ?? undefined,
          ...(duration === null || duration === undefined ? {} : { duration })
        })),
        tokens
      }
    case 'answer':
      return {
        id,
        kind: 'answer',
        toolCallId: row.toolCallId ?? '',
        toolName: payload.toolName as string,
        state: payload.state as string,
        result: payload.result as CallResult,
        tokens
      }
    case 'note':
      return { id, kind: 'note', text: payload.text as string, tokens }
    case 'oob':
      return { id, kind: 'oob', message: payload as PromptOob, tokens }
  }
}
