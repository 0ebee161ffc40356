import { WaystationError } from './error.ts'

/** The secret of a client. `renew` takes a rejected secret and returns a new one, or the same one again. */
export type Credential = {
  current: () => Promise<string | undefined>
  renew: (refused: string | undefined) => Promise<string | undefined>
}

/**
 * Returns the credential for a secret, or for a function that returns one. The function is called for the
 * first request, and again when the server rejects a secret. Requests that are rejected together share the
 * new one.
 */
export function credentialOf(secret: string | (() => Promise<string>) | undefined): Credential {
  if (typeof secret !== 'function') {
    const given = Promise.resolve(secret)
    return { current: () => given, renew: () => given }
  }
  let held: Promise<string> | undefined
  const ask = () => {
    const asked = checked(secret)
    held = asked
    // Forget a rejected promise, so that the next request calls the function again.
    asked.catch(() => {
      if (held === asked) held = undefined
    })
    return asked
  }
  const current = () => held ?? ask()
  return {
    current,
    renew: async refused => {
      const now = await current()
      return now === refused ? ask() : now
    }
  }
}

/**
 * Returns the secret of a function. If the product's route for tokens fails, the function can return the text of an
 * error page. The server rejects it without CORS headers, so that the page cannot read the reason.
 */
async function checked(secret: () => Promise<string>): Promise<string> {
  const given: unknown = await secret()
  // The syntax of a Bearer token (RFC 6750, 2.1).
  if (typeof given === 'string' && /^[\w.~+/-]+=*$/.test(given)) return given
  throw new WaystationError(0, {
    error: 'The "token" function returned no session token. Check the response of your own token route.',
    code: 'UNREACHABLE'
  })
}
