import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { bodyOf } from './form.ts'
import { NewOrder, ordersOf, placeOrder } from './orders.ts'
import { type Person, personOf } from './people.ts'
import type { Ground } from './store.ts'

/** Who calls by which token. */
type Caller = { person: Person; scopes: Set<string> }

type Answer = { status: number; body: object; headers?: Record<string, string> }

type Door = { scope?: string; answer(caller: Caller, request: IncomingMessage): Promise<Answer> }

/** Acme's API, behind bearer tokens of its own (RFC 6750): what an agent's tool calls for a person. */
export function apiOf(ground: Ground, provider: Provider) {
  const doors: Record<string, Record<string, Door>> = {
    '/api/me': {
      GET: {
        answer: async ({ person: { id, name, email }, scopes }) => ({
          status: 200,
          body: scopes.has('profile') ? { id, name, email } : { id }
        })
      }
    },
    '/api/orders': {
      GET: {
        scope: 'orders:read',
        answer: async ({ person }) => ({ status: 200, body: { orders: await ordersOf(ground, person) } })
      },
      POST: { scope: 'orders:write', answer: ({ person }, request) => place(ground, person, request) }
    }
  }
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = await answerOf(provider, doors[path], request)
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
      .end(JSON.stringify(body))
  }
}

async function answerOf(
  provider: Provider,
  doors: Record<string, Door> | undefined,
  request: IncomingMessage
): Promise<Answer> {
  if (doors === undefined) return refusal(404, 'not_found', 'Acme has no such endpoint.')
  const door = doors[request.method ?? '']
  if (door === undefined)
    return refusal(405, 'method_not_allowed', 'This endpoint does not support this method.', {
      allow: Object.keys(doors).join(', ')
    })
  const [, token] = /^bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined)
    return refusal(401, 'no_token', 'Send an access token: Authorization: Bearer …', challenge({}))
  const caller = await callerBy(provider, token)
  if (caller === undefined) {
    const message = 'This access token is unknown, has expired or was revoked. Refresh it, or connect again.'
    return refusal(401, 'invalid_token', message, challenge({ error: 'invalid_token', message }))
  }
  const { scope } = door
  if (scope !== undefined && !caller.scopes.has(scope)) {
    const message = `This access token does not have the scope ${scope}. Connect again and request that scope.`
    return refusal(
      403,
      'insufficient_scope',
      message,
      challenge({ error: 'insufficient_scope', message, scope })
    )
  }
  return door.answer(caller, request)
}

/** A token counts while it and its grant are there, and for this API or for none in particular (RFC 8707, 2). */
async function callerBy(provider: Provider, value: string): Promise<Caller | undefined> {
  const token = await provider.AccessToken.find(value)
  if (token === undefined || token.isExpired) return undefined
  if (token.aud !== undefined && token.aud !== `${provider.issuer}/api`) return undefined
  const person = personOf(token.accountId)
  const grant = token.grantId === undefined ? undefined : await provider.Grant.find(token.grantId)
  return person && grant && { person, scopes: new Set(token.scope?.split(' ')) }
}

async function place(ground: Ground, person: Person, request: IncomingMessage): Promise<Answer> {
  const key = request.headers['idempotency-key']
  if (typeof key === 'string' && key.length > 255)
    return refusal(400, 'bad_key', 'An Idempotency-Key can have at most 255 characters.')
  const text = await bodyOf(request)
  if (text === undefined) return refusal(413, 'too_large', 'The order is too large.')
  const order = NewOrder.safeParse(parsed(text))
  if (!order.success)
    return refusal(
      422,
      'bad_order',
      'An order must be {"item": text, "quantity": a whole number from 1 to 1000}.'
    )
  const placed = await placeOrder(ground, person, order.data, typeof key === 'string' ? key : undefined)
  if (placed === 'another order')
    return refusal(422, 'key_reused', 'This Idempotency-Key was used for another order. Use a new one.')
  return {
    status: 201,
    body: placed.order,
    headers: placed.again ? { 'idempotent-replayed': 'true' } : {}
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const refusal = (
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {}
): Answer => ({
  status,
  body: { error, message },
  headers
})

/** RFC 6750, 3: without a token, no word about what is wrong with it. */
const challenge = (said: { error?: string; message?: string; scope?: string }) => {
  const { message, ...rest } = said
  const parts = Object.entries({ realm: 'Acme', ...rest, ...(message && { error_description: message }) })
  return { 'www-authenticate': `Bearer ${parts.map(([name, value]) => `${name}="${value}"`).join(', ')}` }
}
