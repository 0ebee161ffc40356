import type { RenderHint } from '@waystation/protocol/call/call.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import { cut } from './cut.ts'

/** Maximum length of a call's title, in characters. */
const maxTitle = 120

/** A pending call as another agent sees it. `sessionId` is the session of the sub-agent that it waits for. */
type SeenCall = { title: string; toolName: string; since: string; sessionId?: string }

/** Returns the calls of these sessions that wait for a person or another system, oldest first. */
export async function pendingCallsOf(
  { sql }: Ctx,
  sessionKeys: readonly number[]
): Promise<(SeenCall & { sessionKey: number })[]> {
  const rows = await sql<
    { sessionKey: number; title: string | null; toolName: string; since: string; render: RenderHint | null }[]
  >`
    select session_key, title, tool_name, since, case kind when 'agent' then render end as render from calls
    where session_key = any(${[...sessionKeys]}) and result is null and state = 'open' and kind <> 'server'
    order by since, tool_call_id`
  return rows.map(({ title, render, ...call }) => ({
    ...call,
    title: cut(title ?? call.toolName, maxTitle),
    ...(typeof render?.sessionId === 'string' ? { sessionId: render.sessionId } : {})
  }))
}
