/**
 * Server settings that several test files share. Files that use the same object share a server in each worker. The
 * default settings are in `test.ts`.
 */

/** For tests that check every delivery of the workspace. */
export const manySent = { own: 'deliveries', settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } }

/** For tests of an empty list of deliveries. This server never sends one. */
export const nothingSent = { own: 'no-deliveries' }

/** For tests that change the tool rules of the workspace. */
export const ownRules = { own: 'tool rules' }
