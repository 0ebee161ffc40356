import { customFetch } from 'next-auth'
import type { Provider } from 'next-auth/providers'
import GitHub from 'next-auth/providers/github'
import { runtime } from '#lib/kernel/runtime.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-providers.ts'

/** How long a provider can take to answer a request, in milliseconds. */
const timeoutMs = 10_000

/**
 * Configures a sign-in provider for next-auth: the code flow with `state` and PKCE, and a `nonce` if there is an ID
 * token (RFC 9700, 2.1). The server stores only the user's identity, no tokens of the provider.
 */
export const providerOf = (way: SignIn): Provider => (way.kind === 'github' ? gitHub(way) : openId(way))

function gitHub({ id: clientId, secret: clientSecret, issuer }: SignIn): Provider {
  return GitHub({
    clientId,
    clientSecret,
    ...(issuer === 'https://github.com' ? {} : { enterprise: { baseUrl: issuer } }),
    checks: ['pkce', 'state'],
    authorization: { params: { scope: 'read:user user:email' } },
    token: { url: `${issuer}/login/oauth/access_token`, conform: withErrorStatus },
    userinfo: {
      async request({ tokens, provider }: { tokens: { access_token?: string }; provider: GitHubAsRead }) {
        const url = String(provider.userinfo?.url ?? '')
        const headers = { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'waystation' }
        const [user, emails] = await Promise.all([
          fetchWithTimeout(url, { headers }),
          fetchWithTimeout(`${url}/emails`, { headers })
        ])
        if (!user.ok)
          throw new Error(`GitHub returned ${user.status} when Waystation requested the user's profile`)
        // A GitHub App without permission for e-mail addresses gets a 403.
        const email = emails.ok ? primaryOf(await emails.json()) : undefined
        return { ...(await user.json()), email, email_verified: email !== undefined }
      }
    },
    [customFetch]: fetchWithTimeout
  })
}

/** Returns the primary address if it is verified (GitHub REST, "List email addresses"). */
const primaryOf = (emails: { email: string; primary: boolean; verified: boolean }[]): string | undefined =>
  emails.find(({ primary, verified }) => primary && verified)?.email

type GitHubAsRead = { userinfo?: { url?: URL | string } }

/**
 * Changes the status of GitHub's errors to 400. GitHub reports them in the body of a 200, but the OAuth library checks
 * the status.
 */
async function withErrorStatus(response: Response): Promise<Response | undefined> {
  const body: unknown = await response.json()
  const isError = typeof body === 'object' && body !== null && 'error' in body
  return isError ? Response.json(body, { status: 400 }) : undefined
}

const openId = ({ provider, name, id: clientId, secret: clientSecret, issuer }: SignIn): Provider => ({
  id: provider,
  name,
  type: 'oidc',
  issuer,
  clientId,
  clientSecret,
  checks: ['pkce', 'state', 'nonce'],
  profile: ({ sub }) => ({ id: sub }),
  options: { clientId, clientSecret, issuer, [customFetch]: fetchWithTimeout }
})

const fetchWithTimeout: typeof fetch = (input, init) => {
  const signals = [AbortSignal.timeout(timeoutMs), runtime().closing, ...(init?.signal ? [init.signal] : [])]
  return fetch(input, { ...init, cache: 'no-store', signal: AbortSignal.any(signals) })
}
