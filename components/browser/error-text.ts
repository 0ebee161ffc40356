import type { Reply } from './http.ts'

export const unreachable = "Can't reach the server."

type Failed = Extract<Reply<unknown>, { ok: false }>

/** Why a change was not made. */
export const changeError = (reply: Failed): string =>
  reply.lost ? `${unreachable} Your changes weren't saved. Try again.` : reply.refusal.error

/** Why a page could not be read. */
export const readError = (reply: Failed): string =>
  reply.lost ? `${unreachable} Try again.` : reply.refusal.error
