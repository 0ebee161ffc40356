/**
 * The settings that several files share. Files that name the same object share a server in each worker; the default is in
 * `test.ts`.
 */

/** For tests that look at every delivery of the workspace. */
export const manySent = { own: 'deliveries', settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } }

/** For tests of an empty list of deliveries: this server never sends anything. */
export const nothingSent = { own: 'no-deliveries' }

/** For tests that change the tool rules of the workspace. */
export const ownRules = { own: 'tool rules' }
