import DataLoader from 'dataloader'
import { json, type Sql } from '#db/client.ts'
import { mostSecrets, openSecrets, type Sealed } from '#lib/deliveries/secrets.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallbackClaim, FoundClaim, StoredPlace } from '#lib/kernel/replies.ts'

/** Where a reply may go: one life of one session of an external agent. */
export type Place = {
  ctx: Ctx
  sessionKey: number
  sessionId: string
  generation: number
  agentName: string
  secrets: string[]
}

/** Looks claims up, those of one moment in one trip. Undefined: there is no such workspace. */
export const claimLoader = (sql: Sql) =>
  new DataLoader<CallbackClaim, FoundClaim | undefined>(
    async claims => {
      const asked = claims.map((claim, n) => ({ n, ...claim }))
      const rows = await sql<({ n: number } & FoundClaim)[]>`
        select asked.n, w.link_secret as "linkSecret", place.*
        from json_to_recordset(${json(asked)}::text::json)
            as asked(n int, "workspaceId" text, "sessionKey" bigint, generation int, "sessionId" text)
          join workspaces w on w.id = asked."workspaceId"
          left join lateral (
            select ${columns(sql)} from ${source(sql)}
            where s.key = asked."sessionKey" and s.workspace_id = w.id and s.id = asked."sessionId"
              and h.generation = asked.generation and s.external and s.deleted_at is null
          ) place on true`
      const byPlace = new Map(rows.map(({ n, ...claimed }) => [n, claimed as FoundClaim]))
      return claims.map((_, n) => byPlace.get(n))
    },
    { cache: false, maxBatchSize: 64, batchScheduleFn: setImmediate }
  )

/** What a callback link claims, and by what it is judged. Undefined: its workspace is not there. */
export async function findClaimed(
  ctx: Ctx,
  claim: CallbackClaim
): Promise<{ linkSecret: string; place?: Place } | undefined> {
  const found = await ctx.ports.replies.find(claim)
  if (found === undefined) return undefined
  const { linkSecret } = found
  return found.sessionKey === null
    ? { linkSecret }
    : { linkSecret, place: placeOf(ctx, claim.sessionId, found) }
}

/** Sessions of external agents by this ID: of one workspace, or (for a signature to tell apart) of any. */
export async function findPlaces(ctx: Ctx, sessionId: string, workspaceId?: string): Promise<Place[]> {
  const here = workspaceId === undefined ? ctx.sql`` : ctx.sql`and s.workspace_id = ${workspaceId}`
  const rows = await ctx.sql<StoredPlace[]>`
    select ${columns(ctx.sql)} from ${source(ctx.sql)}
    where s.id = ${sessionId} and s.external and s.deleted_at is null ${here} limit 20`
  return rows.map(row => placeOf(ctx, sessionId, row))
}

const columns = (sql: Sql) => sql`
  s.key as "sessionKey", s.workspace_id as "workspaceId", s.agent_id as "agentId", h.generation,
  coalesce(a.config ->> 'displayName', s.agent_id) as "agentName",
  coalesce((
    select json_agg(newest) from (
      select id, sealed from signing_secrets
      where workspace_id = s.workspace_id and owner = 'agent:' || s.agent_id
        and (retires_at is null or retires_at > clock_timestamp())
      order by created_at desc limit ${mostSecrets}
    ) newest), '[]')::text as sealed`

const source = (sql: Sql) => sql`
  sessions s join heads h on h.session_key = s.key
    left join agents a on a.workspace_id = s.workspace_id and a.id = s.agent_id`

function placeOf(ctx: Ctx, sessionId: string, row: StoredPlace): Place {
  const { sessionKey, workspaceId, agentId, generation, agentName } = row
  const secrets = openSecrets(ctx, workspaceId, `agent:${agentId}`, JSON.parse(row.sealed) as Sealed[])
  const actor = { kind: 'system', name: agentName, workspaceId } as const
  return { ctx: { ...ctx, workspaceId, actor }, sessionKey, sessionId, generation, agentName, secrets }
}
