import { createHash, randomBytes } from 'node:crypto'
import type { Page } from '#tests/browser/test.ts'

/** A client registered at Acme. */
export type Client = { clientId: string; redirectUri: string }

export const waystationAt = (url: string): Client => ({
  clientId: 'waystation',
  redirectUri: `${url}/api/connections/callback`
})

/** Returns the authorization URL of a client at the Acme of `url`. */
export function authorize(
  url: string,
  { clientId, redirectUri }: Client = waystationAt(url),
  more: Record<string, string> = {}
): string {
  const verifier = randomBytes(32).toString('base64url')
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    response_type: 'code',
    scope: 'openid offline_access profile orders:read orders:write',
    state: 'the state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...more
  })
  return `${url}/samples/acme/authorize?${query}`
}

/** Opens a URL in a popup of a page of this server, as a connect button does. */
export async function openInPopup(page: Page, url: string): Promise<Page> {
  await page.goto('/samples/page')
  const popup = page.waitForEvent('popup')
  await page.evaluate(url => void window.open(url, 'connect', 'popup,width=520,height=720'), url)
  return popup
}

export const hasOpener = (page: Page): Promise<boolean> => page.evaluate(() => window.opener !== null)
