/**
 * Why a sign-in failed. The sign-in page has a message for each reason:
 * - `denied`: the user or their provider refused
 * - `stale`: the response matches no pending sign-in of this browser, for example from an old page or with a used code
 * - `misconfigured`: the operator must look at the server's log
 */
export type SignInError = 'denied' | 'stale' | 'misconfigured'

const denials = ['access_denied', 'consent_required', 'interaction_required', 'login_required']

/**
 * Classifies an error of next-auth. `type` is next-auth's own. The codes come from oauth4webapi and RFC 6749, 5.2, and
 * `bad_verification_code` from GitHub. The provider's own error is in the request's URL, whose `state` is already
 * verified.
 */
export function signInErrorOf(error: Error & { type?: string }, requestUrl: string): SignInError {
  if (error.type === 'InvalidCheck' || error.type === 'MissingCSRF') return 'stale'
  if (error.type === 'OAuthCallbackError')
    return denials.includes(new URL(requestUrl).searchParams.get('error') ?? '') ? 'denied' : 'misconfigured'
  const { code, error: providerCode, message } = wrappedError(error)
  const isStale =
    code === 'OAUTH_RESPONSE_BODY_ERROR'
      ? providerCode === 'invalid_grant' || providerCode === 'bad_verification_code'
      : code === 'OAUTH_INVALID_RESPONSE' && String(message).includes('"state"')
  return isStale ? 'stale' : 'misconfigured'
}

const wrappedError = ({ cause }: Error): Record<string, unknown> =>
  ((cause as { err?: unknown } | undefined)?.err ?? {}) as Record<string, unknown>
