import type { Grant } from '@waystation/protocol/call/grant.ts'

/** Describes which arguments a remembered approval covers: "with any arguments", or the exact arguments. */
export const grantWords = (grant: Grant): string =>
  'input' in grant ? `with ${JSON.stringify(grant.input)}` : 'with any arguments'
