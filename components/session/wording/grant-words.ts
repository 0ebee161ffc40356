import type { Grant } from '@waystation/protocol/call/grant.ts'

/** What a remembered approval is of: "with any arguments", or the arguments themselves. */
export const grantWords = (grant: Grant): string =>
  'input' in grant ? `with ${JSON.stringify(grant.input)}` : 'with any arguments'
