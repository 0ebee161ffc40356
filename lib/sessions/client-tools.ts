import { addAuthors } from '#lib/engine/context/authors.ts'
import type { LockedSession } from '#lib/engine/log/session-lock.ts'
import type { Actor, Ctx } from '#lib/kernel/ctx.ts'
import { identityOf } from '#lib/kernel/identity.ts'
import { invalid, Refusal } from '#lib/kernel/refusal.ts'
import { checkSchemas, schemasOf } from '#lib/kernel/schemas/check-schemas.ts'
import type { ClientTool, DeclaredTool } from '#lib/protocol/session/session.ts'

/** The most tools that the clients of one session may declare together, and their size in bytes of JSON. */
const most = { tools: 64, bytes: 256 * 1024, declarers: 32 }

/**
 * Refuses tools that no client can declare: more together than a session may have, or with a schema that nothing can be checked
 * by. Asked before the session is locked, because it takes a moment.
 */
export async function checkDeclarable(ctx: Ctx, tools: readonly ClientTool[]): Promise<void> {
  if (Buffer.byteLength(JSON.stringify(tools)) > most.bytes) throw tooMany()
  await checkSchemas(ctx, schemasOf(tools, 'clientTools'))
}

/**
 * Declares a client's tools: they stand until they are declared again (the newest wins). The head is locked.
 * Too many or too large: `INVALID_INPUT`, and nothing is declared.
 */
export async function declareTools(
  ctx: Ctx,
  head: LockedSession,
  tools: readonly ClientTool[]
): Promise<void> {
  const [session] = await ctx.sql<{ known: DeclaredTool[] }[]>`
    select client_tools as known from sessions where key = ${head.sessionKey}`
  const known = new Map(session?.known.map(tool => [tool.name, tool]))
  for (const tool of tools) {
    const others = (known.get(tool.name)?.declaredBy ?? []).filter(id => id !== idOf(ctx.actor))
    known.set(tool.name, {
      ...tool,
      declaredBy: [...others.slice(1 - most.declarers), idOf(ctx.actor)]
    })
  }
  const all = [...known.values()]
  if (known.size > most.tools || Buffer.byteLength(JSON.stringify(all)) > most.bytes) throw tooMany()
  await ctx.sql`update sessions set client_tools = ${all}::jsonb where key = ${head.sessionKey}`
  // The model reads the descriptions.
  await addAuthors(ctx, head.sessionKey, [identityOf(ctx.actor)])
}

const tooMany = () =>
  invalid(
    `The clients of a session can declare up to ${most.tools} tools with ${most.bytes / 1024} KiB in total. Declare fewer or shorter tools.`,
    { clientTools: 'too many or too large' }
  )

/**
 * A call of a tool that a client declared is failed by nobody else's browser (api.md): whoever answers it with
 * `{error}` has declared the tool in this session, or does so with the answer. A person may always decline or cancel.
 */
export async function checkMayFail(
  ctx: Ctx,
  head: LockedSession,
  toolName: string,
  declares: readonly string[]
): Promise<void> {
  const [tool] = await ctx.sql<{ by: string[] | null }[]>`
    select t -> 'declaredBy' as by from sessions, jsonb_array_elements(client_tools) t
    where key = ${head.sessionKey} and t ->> 'name' = ${toolName}`
  if (tool === undefined || tool.by === null) return
  if (declares.includes(toolName) || tool.by.includes(idOf(ctx.actor))) return
  throw new Refusal(
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
    // Not the token: the same person's page has another one tomorrow.
    case 'subject':
      return `subject:${actor.subject}`
    case 'system':
      return actor.name
  }
}
