import { index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * What Acme keeps, the sample provider of local mode (packages/sample-acme): codes, tokens, grants, clients, its signing keys,
 * and the orders of its API. An ID is often the credential itself, so only its SHA-256 is here, and what it stands for is
 * sealed by the vault: whoever searches a dump for what Waystation was given finds nothing at the other end either.
 */
export const sampleAcme = pgTable(
  'sample_acme',
  {
    /** What it is, in oidc-provider's words (`AccessToken`), or ours (`Order`). */
    model: text('model').notNull(),
    id: text('id').notNull(),
    sealed: text('sealed').notNull(),
    /** The grant that it goes with. */
    grantId: text('grant_id'),
    /** SHA-256 of the code that a person types (RFC 8628, 3.2). */
    userCode: text('user_code'),
    /** Of a session, the name that others know it by. */
    uid: text('uid'),
    /** Whose it is. */
    account: text('account'),
    consumedAt: at('consumed_at'),
    expiresAt: at('expires_at')
  },
  table => [
    primaryKey({ columns: [table.model, table.id] }),
    index('sample_acme_by_grant').on(table.grantId),
    index('sample_acme_by_user_code').on(table.userCode),
    index('sample_acme_by_uid').on(table.uid),
    index('sample_acme_by_account').on(table.account, table.model),
    index('sample_acme_by_expiry').on(table.expiresAt)
  ]
)
