import DataLoader from 'dataloader'
import { LRUCache } from 'lru-cache'
import { json, type Sql } from '#db/client.ts'
import { isGenuineCallback } from '#lib/deliveries/callback-link.ts'
import { isSame } from '#lib/deliveries/capability.ts'
import { openSecrets, type Sealed } from '#lib/deliveries/secrets.ts'
import type { Ctx } from '#lib/kernel/ctx.ts'
import type { CallbackClaim, CallbackLink, FoundClaim, Replies, StoredPlace } from '#lib/kernel/replies.ts'

/** Where a reply may go: one life of one session of an external agent, by what is known of it (`stamp`). */
export type Place = {
  ctx: Ctx
  sessionKey: number
  sessionId: string
  generation: number
  agentName: string
  secrets: string[]
  stamp: string
}

/** The most links that a process remembers: some 10 MB. */
const mostRemembered = 10_000

/** Looks claims up, those of one moment in one trip, and remembers those that were genuine. */
export function claimsOf(sql: Sql): Omit<Replies, 'place'> {
  const known = new LRUCache<string, { signature: string; place: StoredPlace }>({ max: mostRemembered })
  const loader = new DataLoader<CallbackClaim, FoundClaim | undefined>(
    async claims => {
      const asked = claims.map((claim, n) => ({ n, ...claim }))
      const rows = await sql<({ n: number } & FoundClaim)[]>`
        select asked.n, w.link_secret as "linkSecret", case when place.stamp is not null then asked."sessionKey" end as "sessionKey",
          asked.generation, ${columns(sql)}
        from json_to_recordset(${json(asked)}::text::json)
            as asked(n int, "workspaceId" text, "sessionKey" bigint, generation int, "sessionId" text)
          join workspaces w on w.id = asked."workspaceId"
          left join lateral callback_place(asked."sessionKey", asked.generation) place
            on place.workspace_id = w.id and place.session_id = asked."sessionId"`
      const byPlace = new Map(rows.map(({ n, ...claimed }) => [n, claimed as FoundClaim]))
      return claims.map((_, n) => byPlace.get(n))
    },
    { cache: false, maxBatchSize: 64, batchScheduleFn: setImmediate }
  )
  return {
    find: claim => loader.load(claim),
    remembered(link) {
      const one = known.get(nameOf(link))
      return one && isSame(link.signature, one.signature) ? one.place : undefined
    },
    remember: (link, place) => void known.set(nameOf(link), { signature: link.signature, place })
  }
}

const nameOf = ({ workspaceId, sessionKey, generation, sessionId }: CallbackClaim) =>
  [workspaceId, sessionKey, generation, sessionId].join('~')

/**
 * What a callback link leads to, if it is genuine: its session, unless that is not there. `anew`: by what is stored now;
 * otherwise perhaps by what is remembered, which is never a reason to refuse.
 */
export async function findClaimed(
  ctx: Ctx,
  link: CallbackLink,
  anew: boolean
): Promise<{ place?: Place; remembered: boolean } | undefined> {
  const { replies } = ctx.ports
  const known = anew ? undefined : replies.remembered(link)
  if (known !== undefined) return { place: placeOf(ctx, link.sessionId, known), remembered: true }
  const found = await replies.find(link)
  if (found === undefined || !isGenuineCallback(found.linkSecret, link)) return undefined
  if (found.sessionKey === null) return { remembered: false }
  const place = placeOf(ctx, link.sessionId, found)
  replies.remember(link, found)
  return { place, remembered: false }
}

/** Sessions of external agents by this ID: of one workspace, or (for a signature to tell apart) of any. */
export async function findPlaces(ctx: Ctx, sessionId: string, workspaceId?: string): Promise<Place[]> {
  const here = workspaceId === undefined ? ctx.sql`` : ctx.sql`and s.workspace_id = ${workspaceId}`
  const rows = await ctx.sql<StoredPlace[]>`
    select s.key as "sessionKey", h.generation, ${columns(ctx.sql)}
    from sessions s join heads h on h.session_key = s.key cross join lateral callback_place(s.key, h.generation) place
    where s.id = ${sessionId} ${here} limit 20`
  return rows.map(row => placeOf(ctx, sessionId, row))
}

const columns = (sql: Sql) => sql`
  place.workspace_id as "workspaceId", place.agent_id as "agentId", place.agent_name as "agentName", place.sealed, place.stamp`

function placeOf(ctx: Ctx, sessionId: string, row: StoredPlace): Place {
  const { sessionKey, workspaceId, agentId, generation, agentName, stamp } = row
  const secrets = openSecrets(ctx, workspaceId, `agent:${agentId}`, JSON.parse(row.sealed) as Sealed[])
  const actor = { kind: 'system', name: agentName, workspaceId } as const
  return { ctx: { ...ctx, workspaceId, actor }, sessionKey, sessionId, generation, agentName, secrets, stamp }
}
