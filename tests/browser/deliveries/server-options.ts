/** The page shows what the whole workspace sent. */
export const manySent = { own: 'deliveries', settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } }

/** A server that never sends anything. */
export const nothingSent = { own: 'no-deliveries' }
