import type { Reply } from './http.ts'

export const unreachable = "Can't reach the server."

type Failed = Extract<Reply<unknown>, { ok: false }>

/** Returns why a change was not saved. */
export const changeError = (reply: Failed): string =>
  reply.lost ? `${unreachable} Your changes weren't saved. Try again.` : reply.refusal.error

/** Returns why data could not be loaded. */
export const readError = (reply: Failed): string =>
  reply.lost ? `${unreachable} Try again.` : reply.refusal.error
