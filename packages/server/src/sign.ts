/**
 * Returns the headers of a Standard Webhook for this body, signed with the first secret. `id` identifies the request,
 * and is the same for its retries.
 */
export async function signedHeaders(
  [secret]: readonly Uint8Array<ArrayBuffer>[],
  id: string,
  body: string
): Promise<Record<string, string>> {
  if (secret === undefined) return {}
  const timestamp = `${Math.floor(Date.now() / 1000)}`
  const key = await crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const bytes = new TextEncoder().encode(`${id}.${timestamp}.${body}`)
  const signature = btoa(String.fromCharCode(...new Uint8Array(await crypto.subtle.sign('HMAC', key, bytes))))
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` }
}
