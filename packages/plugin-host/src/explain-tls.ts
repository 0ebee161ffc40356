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
 * Explains a TLS error that is caused by a certificate, as a sentence for people. Returns undefined for every
 * other error. A plugin rejects the server's client certificate with a TLS alert.
 */
export function explainTls(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  if (typeof code !== 'string') return undefined
  if (Object.hasOwn(certificateProblems, code))
    return `The plugin's certificate was rejected: ${certificateProblems[code]}.`
  if (!code.startsWith('ERR_SSL_') || !code.includes('_ALERT_')) return undefined
  if (code.endsWith('CERTIFICATE_REQUIRED'))
    return 'The plugin requires a client certificate. Set “client_certificate” and “client_key”.'
  if (/(BAD_CERTIFICATE|UNSUPPORTED_CERTIFICATE|CERTIFICATE_\w+|UNKNOWN_CA|ACCESS_DENIED)$/.test(code))
    return 'The plugin rejected the “client_certificate” from the workspace file.'
  if (code.endsWith('HANDSHAKE_FAILURE'))
    return 'The plugin rejected the TLS connection. It may require another “client_certificate”.'
  return undefined
}
