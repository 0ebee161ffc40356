import { customFetch } from 'next-auth'
import type { Provider } from 'next-auth/providers'
import GitHub from 'next-auth/providers/github'
import { runtime } from '#lib/kernel/runtime.ts'
import type { SignIn } from '#lib/kernel/settings/sign-in-ways.ts'

/** How long a provider may take to answer one request. Milliseconds. */
const patience = 10_000

/**
 * A way to sign in, as next-auth has it: the code flow with `state` and PKCE, and a `nonce` where there is an ID token
 * (RFC 9700, 2.1). Nothing that a provider gives us is kept but who it was.
 */
export const providerOf = (way: SignIn): Provider => (way.kind === 'github' ? gitHub(way) : openId(way))

function gitHub({ id: clientId, secret: clientSecret, issuer }: SignIn): Provider {
  return GitHub({
    clientId,
    clientSecret,
    ...(issuer === 'https://github.com' ? {} : { enterprise: { baseUrl: issuer } }),
    checks: ['pkce', 'state'],
    authorization: { params: { scope: 'read:user user:email' } },
    token: { url: `${issuer}/login/oauth/access_token`, conform: refusalWithStatus },
    userinfo: {
      async request({ tokens, provider }: { tokens: { access_token?: string }; provider: GitHubAsRead }) {
        const url = String(provider.userinfo?.url ?? '')
        const headers = { authorization: `Bearer ${tokens.access_token}`, 'user-agent': 'waystation' }
        const [user, emails] = await Promise.all([
          patiently(url, { headers }),
          patiently(`${url}/emails`, { headers })
        ])
        if (!user.ok)
          throw new Error(`GitHub returned ${user.status} when Waystation requested the user's profile`)
        // A GitHub App without the permission for e-mail addresses gets a 403.
        const email = emails.ok ? primaryOf(await emails.json()) : undefined
        return { ...(await user.json()), email, email_verified: email !== undefined }
      }
    },
    [customFetch]: patiently
  })
}

/** The address that an account's owner has verified and made the first (GitHub REST, "List email addresses"). */
const primaryOf = (emails: { email: string; primary: boolean; verified: boolean }[]): string | undefined =>
  emails.find(({ primary, verified }) => primary && verified)?.email

type GitHubAsRead = { userinfo?: { url?: URL | string } }

/** GitHub says in the body of a 200 that it refuses a code; the OAuth library reads refusals by their status. */
async function refusalWithStatus(response: Response): Promise<Response | undefined> {
  const said: unknown = await response.json()
  const refused = typeof said === 'object' && said !== null && 'error' in said
  return refused ? Response.json(said, { status: 400 }) : undefined
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
  options: { clientId, clientSecret, issuer, [customFetch]: patiently }
})

const patiently: typeof fetch = (input, init) => {
  const signals = [AbortSignal.timeout(patience), runtime().closing, ...(init?.signal ? [init.signal] : [])]
  return fetch(input, { ...init, cache: 'no-store', signal: AbortSignal.any(signals) })
}
