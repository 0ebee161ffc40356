import type { Credential } from './credential.ts'
import { fetchWithProgress } from './upload.ts'

type Authorised = {
  /** Default: the global `fetch`. */
  fetch?: typeof fetch | undefined
  credential: Credential
  /** The ID of the workspace to use, for users who belong to several. */
  workspace?: string | undefined
}

/**
 * Returns a `fetch` that sends the credential. After a `401`, it sends the request once more if the
 * credential has a new secret. `onProgress` receives the sent share of the body if the browser can report it.
 */
export function authorised({ fetch, credential, workspace }: Authorised) {
  const send = (
    request: Request,
    secret: string | undefined,
    upload: { body: Blob; onProgress: (share: number) => void } | undefined
  ) => {
    if (secret !== undefined) request.headers.set('authorization', `Bearer ${secret}`)
    if (workspace !== undefined) request.headers.set('waystation-workspace', workspace)
    if (fetch !== undefined) return fetch(request)
    // Looks up `fetch` for each request, because a page can replace it.
    return upload === undefined || typeof XMLHttpRequest === 'undefined'
      ? globalThis.fetch(request)
      : fetchWithProgress(request, upload.body, upload.onProgress)
  }
  return async (
    input: RequestInfo | URL,
    init?: RequestInit,
    onProgress?: (share: number) => void
  ): Promise<Response> => {
    const request = new Request(input, init)
    const body = init?.body
    const upload = onProgress !== undefined && body instanceof Blob ? { body, onProgress } : undefined
    const secret = await credential.current()
    const response = await send(request.clone(), secret, upload)
    if (response.status !== 401) return response
    const fresh = await credential.renew(secret)
    if (fresh === secret) return response
    await response.body?.cancel()
    return send(request, fresh, upload)
  }
}
