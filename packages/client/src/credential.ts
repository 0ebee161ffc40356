/** What a request is sent with. `renew` is told the secret that was refused, and gives another if there is one. */
export type Credential = {
  current: () => Promise<string | undefined>
  renew: (refused: string | undefined) => Promise<string | undefined>
}

/**
 * A secret, or a function that gets one. A function is asked when the first request goes out and again when the server
 * says that a secret has run out; requests that are refused together share one new secret.
 */
export function credentialOf(secret: string | (() => Promise<string>) | undefined): Credential {
  if (typeof secret !== 'function') {
    const given = Promise.resolve(secret)
    return { current: () => given, renew: () => given }
  }
  let held: Promise<string> | undefined
  const ask = () => {
    const asked = secret()
    held = asked
    // One that failed is not kept: the next request asks again.
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
