/** Node's certificate error codes, and the end of a sentence that explains each. */
const certificateProblems: Record<string, string> = {
  DEPTH_ZERO_SELF_SIGNED_CERT: 'no trusted authority has signed it, so set “ca” or “pin”',
  SELF_SIGNED_CERT_IN_CHAIN: 'no trusted authority has signed it, so set “ca” or “pin”',
  UNABLE_TO_GET_ISSUER_CERT: 'no trusted authority has signed it, so set “ca” or “pin”',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'no trusted authority has signed it, so set “ca” or “pin”',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'no trusted authority has signed it, so set “ca” or “pin”',
  CERT_SIGNATURE_FAILURE: 'its signature is not valid',
  CERT_HAS_EXPIRED: 'it has expired',
  CERT_NOT_YET_VALID: 'it is not valid yet',
  INVALID_PURPOSE: 'it is not a server certificate',
  ERR_TLS_CERT_ALTNAME_INVALID: 'it is for another host'
}

/**
 * Explains a TLS error that is caused by a certificate or by missing TLS, as sentences for people. Returns undefined for every
 * other error. A plugin rejects the server's client certificate with a TLS alert.
 */
export function explainTls(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (Object.hasOwn(certificateProblems, code))
    return `The plugin's certificate was rejected: ${certificateProblems[code]}.`
  if (code === 'ERR_SSL_WRONG_VERSION_NUMBER' || code === 'ERR_SSL_PACKET_LENGTH_TOO_LONG')
    return 'The plugin does not use TLS. Start its address with remote://, or set up TLS in the plugin.'
  if (!code.startsWith('ERR_SSL_') || !code.includes('_ALERT_')) return undefined
  if (code.endsWith('CERTIFICATE_REQUIRED'))
    return 'The plugin requires a client certificate. Set “client_certificate” and “client_key”.'
  // Some servers, such as those in Go 1.19, also send this alert if there is no client certificate.
  if (code.endsWith('_BAD_CERTIFICATE'))
    return 'The plugin requires a client certificate that it trusts. Check “client_certificate” and “client_key”.'
  if (/(UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/.test(code))
    return 'The plugin rejected the “client_certificate” from the workspace file.'
  if (code.endsWith('HANDSHAKE_FAILURE'))
    return 'The plugin rejected the TLS connection. It may require another “client_certificate”.'
  return undefined
}
