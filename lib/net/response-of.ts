import type { OutboundAnswer } from '#lib/kernel/ctx.ts'

/** Statuses whose answers have no body, by the Fetch standard. */
const bodiless = [101, 204, 205, 304]

/** An answer as libraries want it that were made for `fetch`. */
export const responseOf = ({ status, headers, body }: OutboundAnswer): Response =>
  new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers })
