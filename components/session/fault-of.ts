import type { Reply } from './http.ts'

/** Why something was not done, for whoever asked for it. */
export const faultOf = (reply: Extract<Reply<unknown>, { ok: false }>): string =>
  reply.lost ? 'The server does not answer. Nothing was saved; try again.' : reply.refusal.error
