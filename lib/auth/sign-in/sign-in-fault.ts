/**
 * Why a sign-in came to nothing, in a word that the sign-in page has a sentence for. `denied`: the person, or their
 * provider, said no. `stale`: the answer belongs to no sign-in that this browser has under way: an old page, a code that
 * was used, another browser. `misconfigured`: whoever runs the server has to look at its log.
 */
export type SignInFault = 'denied' | 'stale' | 'misconfigured'

const denials = ['access_denied', 'consent_required', 'interaction_required', 'login_required']

/**
 * What next-auth threw over a request, as one of those. Its types stand in `type`; the codes are oauth4webapi's and those
 * of RFC 6749, 5.2, `bad_verification_code` is GitHub's. What the provider itself refused stands in the request, which by
 * then has proved itself by its `state`.
 */
export function faultOf(error: Error & { type?: string }, asked: string): SignInFault {
  if (error.type === 'InvalidCheck' || error.type === 'MissingCSRF') return 'stale'
  if (error.type === 'OAuthCallbackError')
    return denials.includes(new URL(asked).searchParams.get('error') ?? '') ? 'denied' : 'misconfigured'
  const { code, error: refused, message } = thrownIn(error)
  const isStale =
    code === 'OAUTH_RESPONSE_BODY_ERROR'
      ? refused === 'invalid_grant' || refused === 'bad_verification_code'
      : code === 'OAUTH_INVALID_RESPONSE' && String(message).includes('"state"')
  return isStale ? 'stale' : 'misconfigured'
}

const thrownIn = ({ cause }: Error): Record<string, unknown> =>
  ((cause as { err?: unknown } | undefined)?.err ?? {}) as Record<string, unknown>
