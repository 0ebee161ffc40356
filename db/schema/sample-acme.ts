import { index, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core'

const at = (name: string) => timestamp(name, { withTimezone: true, mode: 'date' })

/**
 * The data of Acme, the sample provider of local mode (packages/sample-acme): codes, tokens, grants, clients, its
 * signing keys, and the orders of its API. An ID is often a credential, so only its SHA-256 is stored, and the
 * content is encrypted by the vault. A dump of the database therefore reveals no credential of Acme.
 */
export const sampleAcme = pgTable(
  'sample_acme',
  {
    /** The kind of the row: oidc-provider's name for it (`AccessToken`) or ours (`Order`). */
    model: text('model').notNull(),
    id: text('id').notNull(),
    sealed: text('sealed').notNull(),
    /** The grant that it belongs to. */
    grantId: text('grant_id'),
    /** SHA-256 of the code that a user types (RFC 8628, 3.2). */
    userCode: text('user_code'),
    /** For a session: its public ID. */
    uid: text('uid'),
    /** The account that it belongs to. */
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
