import type { Ctx } from '#lib/kernel/ctx.ts'
import { readEntries, type StoredEntry } from '#lib/messages/context.ts'
import type { CallResult } from '#lib/protocol/call.ts'
import type { UserPart } from '#lib/protocol/message.ts'
import type { AssistantContent, ContextEntry } from '#lib/turn/turn.ts'

/**
 * The prompt window of one turn: read from the database once, then only what was added (design 4, 12). The newest step
 * is read again, since its calls' results come in after it was stored.
 */
export class Window {
  #entries: ContextEntry[] = []
  #start = -1

  /** The window as of now, and the summary of what is left out before it. */
  async read(ctx: Ctx, sessionKey: number): Promise<{ entries: ContextEntry[]; summary: string }> {
    const [session] = await ctx.sql<{ start: number; summary: string }[]>`
      select context_start as start, summary from sessions where key = ${sessionKey}`
    const { start, summary } = session ?? { start: 0, summary: '' }
    if (start !== this.#start) {
      this.#entries = this.#start < 0 ? [] : this.#entries.filter(entry => entry.id > start)
      this.#start = start
    }
    const newestStep = this.#entries.findLastIndex(entry => entry.kind === 'step')
    const known = newestStep < 0 ? this.#entries : this.#entries.slice(0, newestStep)
    const fresh = await readEntries(ctx, sessionKey, known.at(-1)?.id ?? start)
    this.#entries = [...known, ...fresh.map(entryOf)]
    return { entries: this.#entries, summary }
  }
}

function entryOf(row: StoredEntry): ContextEntry {
  const { id, tokens, payload } = row
  switch (row.kind) {
    case 'user':
      return { id, kind: 'user', parts: payload.parts as UserPart[], tokens }
    case 'step':
      return {
        id,
        kind: 'step',
        content: payload.content as AssistantContent,
        calls: (row.calls ?? []).map(call => ({ ...call, editedInput: call.editedInput ?? undefined })),
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
  }
}
