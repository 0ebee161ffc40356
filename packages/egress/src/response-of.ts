import type { OutboundResponse } from './outbound.ts'

/** Statuses without a body, by the Fetch standard. */
const bodiless = [101, 204, 205, 304]

/** Converts a response for libraries that expect `fetch`'s `Response`. */
export const responseOf = ({ status, headers, body }: OutboundResponse): Response =>
  new Response(bodiless.includes(status) ? null : new Uint8Array(body), { status, headers })
