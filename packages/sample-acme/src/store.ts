import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Sql, Vault } from './server.ts'

/** What Acme is built on. */
export type Ground = { sql: Sql; vault: Vault }

/** `consumed`: Unix time, as oidc-provider counts. */
type Row = { id: string; sealed: string; consumed: number | null }

/** What a row is found by that is a credential itself. */
export const hashOf = (id: string): string => createHash('sha256').update(id).digest('base64url')

const purposeOf = (model: string, hash: string) => `acme:${model}:${hash}`

export const seal = ({ vault }: Ground, model: string, hash: string, value: unknown): string =>
  vault.encrypt(JSON.stringify(value), purposeOf(model, hash))

export const unseal = <T>({ vault }: Ground, model: string, { id, sealed }: Pick<Row, 'id' | 'sealed'>): T =>
  JSON.parse(vault.decrypt(sealed, purposeOf(model, id))) as T

/**
 * Where oidc-provider keeps one model (`AccessToken`, `Grant`, …), shared by all processes on this database. Rows past
 * their time stay until somebody begins to connect, so that what is refused as expired is for a while not called unknown.
 */
export function adapterFor(ground: Ground, model: string): Adapter {
  const { sql } = ground
  const opened = (row: Row | undefined): AdapterPayload | undefined =>
    row && {
      ...unseal<AdapterPayload>(ground, model, row),
      ...(row.consumed === null ? {} : { consumed: row.consumed })
    }
  const found = async (by: 'id' | 'uid' | 'user_code', value: string) => {
    const [row] = await sql<Row[]>`
      select id, sealed, extract(epoch from consumed_at)::int as consumed
      from sample_acme where model = ${model} and ${sql(by)} = ${value}`
    return opened(row)
  }
  return {
    async upsert(id, payload, seconds) {
      if (model === 'Interaction') await sql`delete from sample_acme where expires_at < clock_timestamp()`
      const hash = hashOf(id)
      await sql`
        insert into sample_acme (model, id, sealed, grant_id, user_code, uid, account, expires_at)
        values (
          ${model}, ${hash}, ${seal(ground, model, hash, payload)},
          ${model === 'Grant' ? id : (payload.grantId ?? null)},
          ${payload.userCode === undefined ? null : hashOf(payload.userCode)},
          ${model === 'Session' ? (payload.uid ?? null) : null}, ${payload.accountId ?? null},
          clock_timestamp() + make_interval(secs => ${seconds ?? null})
        )
        on conflict (model, id) do update set
          sealed = excluded.sealed, grant_id = excluded.grant_id, user_code = excluded.user_code,
          uid = excluded.uid, account = excluded.account, expires_at = excluded.expires_at`
    },
    find: id => found('id', hashOf(id)),
    findByUid: uid => found('uid', uid),
    findByUserCode: userCode => found('user_code', hashOf(userCode)),
    consume: id => consume(ground, model, hashOf(id)),
    async destroy(id) {
      await sql`delete from sample_acme where model = ${model} and id = ${hashOf(id)}`
    },
    async revokeByGrantId(grantId) {
      await sql`delete from sample_acme where model = ${model} and grant_id = ${grantId}`
    }
  }
}

/**
 * Uses up a code or a refresh token. Of two who come with the same one at once, the second is as one who comes later:
 * refused, and the grant is over (RFC 9700, 2.2.2 and 4.14.2). oidc-provider itself looks before, and not in one statement.
 */
async function consume({ sql }: Ground, model: string, hash: string): Promise<void> {
  const [first] = await sql`
    update sample_acme set consumed_at = clock_timestamp()
    where model = ${model} and id = ${hash} and consumed_at is null returning 1`
  if (first !== undefined) return
  const { errors } = await import('oidc-provider')
  await sql`
    delete from sample_acme where grant_id =
      (select grant_id from sample_acme where model = ${model} and id = ${hash})`
  throw new errors.InvalidGrant('it was already used')
}

/** Ends a grant: nothing that was given by it works any more. Says whether it was this person's. */
export async function endGrant({ sql }: Ground, account: string, grantId: string): Promise<boolean> {
  const gone = await sql`
    delete from sample_acme where grant_id = ${grantId} and exists (
      select from sample_acme where model = 'Grant' and grant_id = ${grantId} and account = ${account})
    returning 1`
  return gone.length > 0
}

/** As oidc-provider keeps it. `iat`: Unix time. */
type KeptGrant = {
  jti: string
  clientId: string
  iat: number
  openid?: { scope?: string }
  resources?: Record<string, string>
}

/** A person's grants, the newest first. */
export async function grantsOf(ground: Ground, account: string): Promise<KeptGrant[]> {
  const rows = await ground.sql<Row[]>`
    select id, sealed from sample_acme
    where model = 'Grant' and account = ${account} and expires_at > clock_timestamp()`
  return rows.map(row => unseal<KeptGrant>(ground, 'Grant', row)).sort((a, b) => b.iat - a.iat)
}
