/**
 * The signing secrets (`whsec_…`) of the agents that use a handler: one, or several during a rotation. Missing ones are
 * left out. A function is called for each request. `false` accepts unsigned requests.
 */
export type Secret = SecretValue | (() => SecretValue)
type SecretValue = string | undefined | false | readonly (string | undefined)[]

/** How many seconds before or after now a signature is valid. */
const toleranceSeconds = 5 * 60
/** How many bytes a secret has at least. Waystation's have 32. */
const minBytes = 16

/** Returns the decoded secrets, or `false` if unsigned requests are accepted. Throws if there is no valid secret. */
export function readSecrets(secret: Exclude<Secret, () => unknown>): Uint8Array<ArrayBuffer>[] | false {
  if (secret === false) return false
  const given = [secret].flat().filter(one => one !== undefined)
  if (given.length === 0)
    throw new TypeError(
      '`secret` is not set. Use the signing secret of the agent, or false to accept unsigned requests.'
    )
  return given.map(one => {
    const bytes = bytesOf(String(one).replace(/^whsec_/, ''))
    if (bytes === undefined || bytes.length < minBytes)
      throw new TypeError('`secret` is not a signing secret. Copy it completely (whsec_…).')
    return bytes
  })
}

/** Returns whether one of the secrets signed this body as a Standard Webhook, at most five minutes before or after now. */
export async function isSigned(
  secrets: readonly Uint8Array<ArrayBuffer>[],
  headers: Headers,
  body: Uint8Array
): Promise<boolean> {
  const [id, timestamp] = [headers.get('webhook-id') ?? '', headers.get('webhook-timestamp') ?? '']
  const age = Math.abs(
    Math.floor(Date.now() / 1000) - (/^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN)
  )
  if (id === '' || !(age <= toleranceSeconds)) return false
  const signatures = (headers.get('webhook-signature') ?? '')
    .split(' ')
    .flatMap(one => (one.startsWith('v1,') ? (bytesOf(one.slice(3)) ?? []) : []))
  const start = new TextEncoder().encode(`${id}.${timestamp}.`)
  const signed = new Uint8Array(start.length + body.length)
  signed.set(start)
  signed.set(body, start.length)
  for (const secret of secrets) {
    const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, [
      'verify'
    ])
    // `verify` compares in constant time.
    for (const signature of signatures)
      if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

/** Decodes base64. Returns undefined if the text is not base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
  } catch {
    return undefined
  }
}
