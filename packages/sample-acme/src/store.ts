import { createHash } from 'node:crypto'
import type { Adapter, AdapterPayload } from 'oidc-provider'
import type { Sql, Vault } from './server.ts'

/** The database that stores Acme's data, and the vault that encrypts it. */
export type AcmeStorage = { sql: Sql; vault: Vault }

/** `sealed` is the encrypted content. `consumed` is a Unix time in seconds, as in oidc-provider. */
type Row = { id: string; sealed: string; consumed: number | null }

/** Returns the SHA-256 of an ID in base64url. An ID can be a credential, so rows are stored under its hash. */
export const hashOf = (id: string): string => createHash('sha256').update(id).digest('base64url')

const purposeOf = (model: string, hash: string) => `acme:${model}:${hash}`

/** Encrypts the content of a row as JSON. It can be decrypted only for the same model and hash. */
export const encrypt = ({ vault }: AcmeStorage, model: string, hash: string, value: unknown): string =>
  vault.encrypt(JSON.stringify(value), purposeOf(model, hash))

/** Decrypts the content of a row. Throws if it is forged, belongs to another row, or its vault key is missing. */
export const decrypt = <T>(
  { vault }: AcmeStorage,
  model: string,
  { id, sealed }: Pick<Row, 'id' | 'sealed'>
): T => JSON.parse(vault.decrypt(sealed, purposeOf(model, id))) as T

/**
 * Returns the adapter that stores one model of oidc-provider (`AccessToken`, `Grant`, …). All processes on this
 * database share its rows.
 *
 * Saving an interaction deletes all expired rows. Until then they stay, so that oidc-provider can report a code as
 * expired instead of unknown.
 */
export function adapterFor(storage: AcmeStorage, model: string): Adapter {
  const { sql } = storage
  const payloadOf = (row: Row | undefined): AdapterPayload | undefined =>
    row && {
      ...decrypt<AdapterPayload>(storage, model, row),
      ...(row.consumed === null ? {} : { consumed: row.consumed })
    }
  const findBy = async (column: 'id' | 'uid' | 'user_code', value: string) => {
    const [row] = await sql<Row[]>`
      select id, sealed, extract(epoch from consumed_at)::int as consumed
      from sample_acme where model = ${model} and ${sql(column)} = ${value}`
    return payloadOf(row)
  }
  return {
    async upsert(id, payload, seconds) {
      if (model === 'Interaction') await sql`delete from sample_acme where expires_at < clock_timestamp()`
      const hash = hashOf(id)
      await sql`
        insert into sample_acme (model, id, sealed, grant_id, user_code, uid, account, expires_at)
        values (
          ${model}, ${hash}, ${encrypt(storage, model, hash, payload)},
          ${model === 'Grant' ? id : (payload.grantId ?? null)},
          ${payload.userCode === undefined ? null : hashOf(payload.userCode)},
          ${model === 'Session' ? (payload.uid ?? null) : null}, ${payload.accountId ?? null},
          clock_timestamp() + make_interval(secs => ${seconds ?? null})
        )
        on conflict (model, id) do update set
          sealed = excluded.sealed, grant_id = excluded.grant_id, user_code = excluded.user_code,
          uid = excluded.uid, account = excluded.account, expires_at = excluded.expires_at`
    },
    find: id => findBy('id', hashOf(id)),
    findByUid: uid => findBy('uid', uid),
    findByUserCode: userCode => findBy('user_code', hashOf(userCode)),
    consume: id => consume(storage, model, hashOf(id)),
    async destroy(id) {
      await sql`delete from sample_acme where model = ${model} and id = ${hashOf(id)}`
    },
    async revokeByGrantId(grantId) {
      await sql`delete from sample_acme where model = ${model} and grant_id = ${grantId}`
    }
  }
}

/**
 * Marks a code or a refresh token as used. A second use deletes everything of the grant and throws `InvalidGrant`
 * (RFC 6749, 4.1.2 and RFC 9700, 2.2.2 and 4.14.2).
 *
 * oidc-provider checks for a second use before it calls this, but not in the same statement. Two simultaneous requests
 * would both pass that check.
 */
async function consume({ sql }: AcmeStorage, model: string, hash: string): Promise<void> {
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

/**
 * Deletes a grant of this account with all its codes and tokens. Returns false, and deletes nothing, if the account
 * has no such grant.
 */
export async function endGrant({ sql }: AcmeStorage, account: string, grantId: string): Promise<boolean> {
  const deleted = await sql`
    delete from sample_acme where grant_id = ${grantId} and exists (
      select from sample_acme where model = 'Grant' and grant_id = ${grantId} and account = ${account})
    returning 1`
  return deleted.length > 0
}

/** A grant as oidc-provider stores it. `iat` is a Unix time in seconds. */
type StoredGrant = {
  jti: string
  clientId: string
  iat: number
  openid?: { scope?: string }
  resources?: Record<string, string>
}

/** Returns the grants of an account that have not expired, newest first. */
export async function grantsOf(storage: AcmeStorage, account: string): Promise<StoredGrant[]> {
  const rows = await storage.sql<Row[]>`
    select id, sealed from sample_acme
    where model = 'Grant' and account = ${account} and expires_at > clock_timestamp()`
  return rows.map(row => decrypt<StoredGrant>(storage, 'Grant', row)).sort((a, b) => b.iat - a.iat)
}
