import { ApiError, invalid } from '@waystation/base/api-error.ts'
import { checkSchemas, schemasOf } from '@waystation/json-schemas'
import type { ClientTool, DeclaredTool } from '@waystation/protocol/session/session.ts'
import { addAuthors } from '#lib/engine/context/authors.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { laneOf } from '#lib/kernel/lane-of.ts'

/**
 * The most tools that the clients of one session can declare together, their size in bytes of JSON, and the most
 * declarers of a tool.
 */
const limits = { tools: 64, bytes: 256 * 1024, declarers: 32 }

/**
 * Throws `INVALID_INPUT` for tools that no client can declare: too many or too large, or with an invalid schema. Call
 * it before the session is locked, because it takes time.
 */
export async function checkDeclarable(ctx: Ctx, tools: readonly ClientTool[]): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(tools)) > limits.bytes) throw limitExceeded()
  await checkSchemas(ctx.ports.schemas, schemasOf(tools, 'clientTools'), laneOf(ctx))
}

/**
 * Declares a client's tools in a session. A declaration stays until the tool is declared again. Throws `INVALID_INPUT`
 * and declares nothing if there are too many or they are too large. Needs the session's lock.
 */
export async function declareTools(
  ctx: Ctx,
  session: LockedSession,
  tools: readonly ClientTool[]
): Promise<void> {
  const [row] = await ctx.sql<{ known: DeclaredTool[] }[]>`
    select client_tools as known from sessions where key = ${session.sessionKey}`
  const toolByName = new Map(row?.known.map(tool => [tool.name, tool]))
  for (const tool of tools) {
    const others = (toolByName.get(tool.name)?.declaredBy ?? []).filter(id => id !== idOf(ctx.actor))
    toolByName.set(tool.name, {
      ...tool,
      declaredBy: [...others.slice(1 - limits.declarers), idOf(ctx.actor)]
    })
  }
  const declared = [...toolByName.values()]
  if (toolByName.size > limits.tools || Buffer.byteLength(JSON.stringify(declared)) > limits.bytes)
    throw limitExceeded()
  await ctx.sql`update sessions set client_tools = ${declared}::jsonb where key = ${session.sessionKey}`
  // The model reads the descriptions, so the caller becomes an author of the session.
  await addAuthors(ctx, session.sessionKey, [identityOf(ctx.actor)])
}

const limitExceeded = () =>
  invalid(
    `The clients of a session can declare up to ${limits.tools} tools with ${limits.bytes / 1024} KiB in total. Declare fewer or shorter tools.`,
    { clientTools: 'too many or too large' }
  )

/**
 * Throws `FORBIDDEN` unless the caller can report that a client tool failed (api.md). The caller must have declared the
 * tool in this session, or declare it with the answer. Users can always decline or cancel the call.
 */
export async function checkCanReportFailure(
  ctx: Ctx,
  session: LockedSession,
  toolName: string,
  declares: readonly string[]
): Promise<void> {
  const [tool] = await ctx.sql<{ by: string[] | null }[]>`
    select t -> 'declaredBy' as by from sessions, jsonb_array_elements(client_tools) t
    where key = ${session.sessionKey} and t ->> 'name' = ${toolName}`
  if (tool === undefined || tool.by === null) return
  if (declares.includes(toolName) || tool.by.includes(idOf(ctx.actor))) return
  throw new ApiError(
    'FORBIDDEN',
    `Only a client that declares "${toolName}" can report that its call failed. The call is still open: decline or cancel it.`
  )
}

function idOf(actor: Actor): string {
  switch (actor.kind) {
    case 'person':
      return actor.userId
    case 'key':
      return actor.keyId
    // Not the token, because the same end user gets another one later.
    case 'subject':
      return `subject:${actor.subject}`
    case 'system':
      return actor.name
  }
}
