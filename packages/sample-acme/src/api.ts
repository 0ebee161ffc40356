import type { IncomingMessage, ServerResponse } from 'node:http'
import type Provider from 'oidc-provider'
import { bodyOf } from './form.ts'
import { NewOrder, ordersOf, placeOrder } from './orders.ts'
import { type Person, personOf } from './people.ts'
import type { AcmeStorage } from './store.ts'

/** The user and the scopes of an access token. */
type Caller = { person: Person; scopes: Set<string> }

type ApiResponse = { status: number; body: object; headers?: Record<string, string> }

/** `scope` is the scope that the endpoint requires, if any. */
type Endpoint = { scope?: string; handle(caller: Caller, request: IncomingMessage): Promise<ApiResponse> }

/**
 * Returns the handler of Acme's API, which tools call with a user's account. Send an access token of Acme as a bearer
 * token (RFC 6750). Errors are JSON: `{error, message}`.
 */
export function apiOf(storage: AcmeStorage, provider: Provider) {
  const endpoints: Record<string, Record<string, Endpoint>> = {
    '/api/me': {
      GET: {
        handle: async ({ person: { id, name, email }, scopes }) => ({
          status: 200,
          body: scopes.has('profile') ? { id, name, email } : { id }
        })
      }
    },
    '/api/orders': {
      GET: {
        scope: 'orders:read',
        handle: async ({ person }) => ({ status: 200, body: { orders: await ordersOf(storage, person) } })
      },
      POST: { scope: 'orders:write', handle: ({ person }, request) => createOrder(storage, person, request) }
    }
  }
  return async (path: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { status, body, headers } = await responseTo(provider, endpoints[path], request)
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
      .end(JSON.stringify(body))
  }
}

async function responseTo(
  provider: Provider,
  methods: Record<string, Endpoint> | undefined,
  request: IncomingMessage
): Promise<ApiResponse> {
  if (methods === undefined) return errorResponse(404, 'not_found', 'Acme has no such endpoint.')
  const endpoint = methods[request.method ?? '']
  if (endpoint === undefined)
    return errorResponse(405, 'method_not_allowed', 'This endpoint does not support this method.', {
      allow: Object.keys(methods).join(', ')
    })
  const [, token] = /^bearer +([\w.~+/-]+=*)$/i.exec(request.headers.authorization ?? '') ?? []
  if (token === undefined)
    return errorResponse(401, 'no_token', 'Send an access token: Authorization: Bearer …', challenge({}))
  const caller = await findCaller(provider, token)
  if (caller === undefined) {
    const message = 'This access token is unknown, has expired or was revoked. Refresh it, or connect again.'
    return errorResponse(401, 'invalid_token', message, challenge({ error: 'invalid_token', message }))
  }
  const { scope } = endpoint
  if (scope !== undefined && !caller.scopes.has(scope)) {
    const message = `This access token does not have the scope ${scope}. Connect again and request that scope.`
    return errorResponse(
      403,
      'insufficient_scope',
      message,
      challenge({ error: 'insufficient_scope', message, scope })
    )
  }
  return endpoint.handle(caller, request)
}

/**
 * Returns the caller of a valid access token, or undefined. The token and its grant must exist and must not have
 * expired. The audience must be this API, or no resource in particular (RFC 8707, 2).
 */
async function findCaller(provider: Provider, value: string): Promise<Caller | undefined> {
  const token = await provider.AccessToken.find(value)
  if (token === undefined || token.isExpired) return undefined
  if (token.aud !== undefined && token.aud !== `${provider.issuer}/api`) return undefined
  const person = personOf(token.accountId)
  const grant = token.grantId === undefined ? undefined : await provider.Grant.find(token.grantId)
  return person && grant && { person, scopes: new Set(token.scope?.split(' ')) }
}

async function createOrder(
  storage: AcmeStorage,
  person: Person,
  request: IncomingMessage
): Promise<ApiResponse> {
  const key = request.headers['idempotency-key']
  if (typeof key === 'string' && key.length > 255)
    return errorResponse(400, 'bad_key', 'An Idempotency-Key can have at most 255 characters.')
  const text = await bodyOf(request)
  if (text === undefined) return errorResponse(413, 'too_large', 'The order is too large.')
  const order = NewOrder.safeParse(parseJson(text))
  if (!order.success)
    return errorResponse(
      422,
      'bad_order',
      'An order must be {"item": text, "quantity": a whole number from 1 to 1000}.'
    )
  const placed = await placeOrder(storage, person, order.data, typeof key === 'string' ? key : undefined)
  if (placed === 'key reused')
    return errorResponse(422, 'key_reused', 'This Idempotency-Key was used for another order. Use a new one.')
  return {
    status: 201,
    body: placed.order,
    headers: placed.replayed ? { 'idempotent-replayed': 'true' } : {}
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const errorResponse = (
  status: number,
  error: string,
  message: string,
  headers: Record<string, string> = {}
): ApiResponse => ({
  status,
  body: { error, message },
  headers
})

/**
 * Returns the `WWW-Authenticate` header (RFC 6750, 3). Omit the error if the request has no token (RFC 6750, 3.1).
 * `message` becomes `error_description`.
 */
const challenge = (fields: { error?: string; message?: string; scope?: string }) => {
  const { message, ...rest } = fields
  const parts = Object.entries({ realm: 'Acme', ...rest, ...(message && { error_description: message }) })
  return { 'www-authenticate': `Bearer ${parts.map(([name, value]) => `${name}="${value}"`).join(', ')}` }
}
