import type { Credential } from './credential.ts'

type Authorised = {
  fetch: typeof fetch
  credential: Credential
  /** The ID of the workspace to use, for users who belong to several. */
  workspace?: string | undefined
}

/**
 * Returns a `fetch` that sends the credential. After a `401`, it sends the request once more if the
 * credential has a new secret.
 */
export function authorised({ fetch, credential, workspace }: Authorised) {
  const send = (request: Request, secret: string | undefined) => {
    if (secret !== undefined) request.headers.set('authorization', `Bearer ${secret}`)
    if (workspace !== undefined) request.headers.set('waystation-workspace', workspace)
    return fetch(request)
  }
  return async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const request = new Request(input, init)
    const secret = await credential.current()
    const response = await send(request.clone(), secret)
    if (response.status !== 401) return response
    const fresh = await credential.renew(secret)
    if (fresh === secret) return response
    await response.body?.cancel()
    return send(request, fresh)
  }
}
