import type { AssistantContent, ContextEntry, ToldOob } from '#lib/engine/turn/turn.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallResult } from '#lib/protocol/call/call.ts'
import type { UserPart } from '#lib/protocol/session/message.ts'
import { readEntries, type StoredEntry } from './context-entries.ts'

/** Characters of JSON that the windows of a process may hold together; the one that was used longest ago goes first. */
const room = 16_000_000

type Held = {
  generation: number
  cuts: number
  entries: ContextEntry[]
  sizes: number[]
  size: number
  /** The prompt of the newest step that this process has committed. */
  prompt: object | undefined
}

/**
 * The prompt windows of the sessions that this process advanced last, so that a step reads what was added and not the
 * whole window (docs/concepts/engine.md#prompt). Only a memory of what is stored: context is appended and never changed (unless a person takes a
 * turn out of it, which `cuts` counts, or a plugin changes what one says before any step has read it), and what an entry's calls came to is settled for the prompt once a later step has begun. So everything before the newest step that
 * was read stays true, whoever has owned the session since; from that step on it is read again. With a window goes the prompt that was kept last: the same messages, or as many again where a
 * plugin makes them anew.
 */
export class Windows {
  /** In the order of their last use. */
  readonly #held = new Map<number, Held>()
  #size = 0

  /** The window as of now with its size, the summary of what is left out before it, and up to where out-of-band messages are a line. */
  async read(
    ctx: Ctx,
    sessionKey: number
  ): Promise<{ entries: ContextEntry[]; tokens: number; summary: string; oobStart: number; cuts: number }> {
    const held = this.#held.get(sessionKey)
    const newestStep = held?.entries.findLastIndex(entry => entry.kind === 'step') ?? -1
    const known = newestStep < 0 ? [] : (held?.entries.slice(0, newestStep) ?? [])
    const [[session], fresh] = await Promise.all([
      ctx.sql<
        {
          start: number
          tokens: number
          summary: string
          oobStart: number
          generation: number
          cuts: number
        }[]
      >`
        select s.context_start as start, s.context_tokens as tokens, s.summary, s.oob_start, h.generation,
          s.context_cuts as cuts
        from sessions s join heads h on h.session_key = s.key where s.key = ${sessionKey}`,
      readEntries(ctx, sessionKey, known.at(-1)?.id ?? 0)
    ])
    const { start, tokens, summary, oobStart, generation, cuts } = session ?? {
      start: 0,
      tokens: 0,
      summary: '',
      oobStart: 0,
      generation: 0,
      cuts: 0
    }
    if (held !== undefined && (held.generation !== generation || held.cuts !== cuts)) {
      // Another life of this ID, of which nothing is left; or not all of it is.
      this.#drop(sessionKey)
      return this.read(ctx, sessionKey)
    }
    const left = known.findIndex(entry => entry.id > start)
    const from = left < 0 ? known.length : left
    const entries = [...known.slice(from), ...fresh.map(entryOf)]
    const sizes = [
      ...(held?.sizes.slice(from, known.length) ?? []),
      ...fresh.map(row => JSON.stringify(row).length)
    ]
    this.#hold(sessionKey, {
      generation,
      cuts,
      entries,
      sizes,
      size: sizes.reduce((sum, size) => sum + size, 0),
      prompt: held?.prompt
    })
    return { entries, tokens, summary, oobStart, cuts }
  }

  /** The prompt that was kept last here, if nothing of it was taken out since. */
  promptOf<Prompt extends object>(sessionKey: number): Prompt | undefined {
    return this.#held.get(sessionKey)?.prompt as Prompt | undefined
  }

  /** Remembers it with the window, and as long as that. */
  keepPrompt(sessionKey: number, prompt: object): void {
    const held = this.#held.get(sessionKey)
    if (held !== undefined) held.prompt = prompt
  }

  #hold(sessionKey: number, held: Held): void {
    this.#drop(sessionKey)
    this.#held.set(sessionKey, held)
    this.#size += held.size
    for (const oldest of this.#held.keys()) {
      if (this.#size <= room) break
      this.#drop(oldest)
    }
  }

  #drop(sessionKey: number): void {
    this.#size -= this.#held.get(sessionKey)?.size ?? 0
    this.#held.delete(sessionKey)
  }
}

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
          // What a plugin put in the place of somebody's answer.
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
      return { id, kind: 'oob', message: payload as ToldOob, tokens }
  }
}
