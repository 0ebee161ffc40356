import type { Ctx } from '#lib/kernel/ctx.ts'
import { ctxFor } from '#lib/kernel/house.ts'
import type { RouteAnswer, RouteRequest } from '#lib/kernel/plugin-host.ts'
import { admit } from './admit.ts'
import { answerWith } from './answer-with.ts'
import { heedLimit } from './heed-limit.ts'
import { readBytes } from './read-bytes.ts'
import type { Handler } from './route.ts'
import { whileHeld } from './while-held.ts'

type Place = { workspaceId: string; plugin: string }
type Pass = (ctx: Ctx, place: Place, request: RouteRequest, signal: AbortSignal) => Promise<RouteAnswer>

const mostBytes = 4 * 1024 * 1024

/** Headers of a request that a plugin gets: about the body and the form of the response, not about the person or the way here. */
const toPlugin = new Set([
  'accept',
  'accept-language',
  'content-language',
  'content-type',
  'if-modified-since',
  'if-none-match',
  'range',
  'user-agent'
])

/** Headers of a plugin's response that are passed on. A proxy in front obeys some of the others, like `X-Accel-Redirect`. */
const fromPlugin = new Set([
  'accept-ranges',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-range',
  'content-type',
  'etag',
  'last-modified',
  'retry-after'
])

/**
 * In a browser the answer is data and no page of ours: nothing in it runs, loads or is framed (CSP 3, "sandbox"), nothing is
 * guessed to be a script, and no other site can take it in.
 */
const inert = {
  'content-security-policy': "sandbox; default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'private, no-store'
}

/** A route that a plugin answers (003-13). The body passes byte for byte, and of the headers only those of the lists above. */
export const pluginRoute =
  (pass: Pass): Handler =>
  (request, { params }) =>
    answerWith(request, '/api/v1/workspaces/{workspaceId}/views/{plugin}/routes/*', async () => {
      const { method } = request
      const actor = await admit(request, { actor: 'user', scope: method === 'GET' ? 'read' : 'send' })
      await heedLimit(actor)
      const { workspaceId, plugin } = (await params) as Place
      const url = new URL(request.url)
      const path = url.pathname.replace(/^(\/[^/]+){5}\/[^/]+\/routes/, '')
      const headers = Object.fromEntries([...request.headers].filter(([name]) => toPlugin.has(name)))
      const query = Object.fromEntries(url.searchParams)
      const answer = await whileHeld(actor, undefined, async () => {
        const body = method === 'GET' ? new Uint8Array() : await readBytes(request, mostBytes, 'request')
        const asked = { method, path, body, headers, query }
        return pass(ctxFor(actor), { workspaceId, plugin }, asked, request.signal)
      })
      const told = Object.entries(answer.headers).filter(([name]) => fromPlugin.has(name.toLowerCase()))
      const isEmpty = [204, 205, 304].includes(answer.status)
      return new Response(isEmpty ? null : new Uint8Array(answer.body), {
        status: answer.status,
        headers: { ...Object.fromEntries(told), ...inert }
      })
    })
