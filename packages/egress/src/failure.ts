import { OutboundError } from './outbound-error.ts'

/** The reason of a failed connection, by error code. The text follows "<host> ". */
const reasons: [RegExp, string][] = [
  [/^(ENOTFOUND|ENODATA|EAI_NONAME)$/, 'is not a known host. Check the spelling.'],
  [/^EAI_/, 'could not be resolved. Try again later.'],
  [/^ECONNREFUSED$/, 'refused the connection. Check the host and the port.'],
  [/^(ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|EINVAL|EACCES|EPERM)$/, 'cannot be reached from this server.'],
  [
    /^(ECONNRESET|EPIPE|ECONNABORTED|UND_ERR_SOCKET)$/,
    'closed the connection before its response was complete.'
  ],
  [
    /^(UND_ERR_RES_CONTENT_LENGTH_MISMATCH|HPE_|UND_ERR_RESPONSE|HTTPParserError)/,
    'sent a response that is not valid HTTP.'
  ],
  [
    /^(ERR_TLS_|ERR_SSL_|CERT_|EPROTO|.*_CERT|.*_SIGNED_|UNABLE_TO_|HOSTNAME_)/,
    'has no valid TLS certificate for that host name.'
  ]
]

/**
 * Converts a low-level error to an `OutboundError`. Its message names the host of the URL, never the address. Errors
 * that do not come from the network are returned unchanged, because they are bugs.
 */
export function outboundError(error: unknown, host: string): unknown {
  if (error instanceof OutboundError || !(error instanceof Error)) return error
  const code = 'code' in error && error.code ? String(error.code) : error.name
  if (/^(UND_ERR_CONNECT_TIMEOUT|ETIMEDOUT)$/.test(code)) {
    return new OutboundError('TIMEOUT', `${host} did not accept a connection in time.`, { cause: error })
  }
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW') {
    return new OutboundError('TOO_LARGE', `${host} sent response headers that are too large.`, {
      cause: error
    })
  }
  if (/^(Z_|ERR_BUFFER|ERR_BROTLI|ERR__ERROR_|ERR_PADDING)/.test(code)) {
    return new OutboundError(
      'UNREADABLE',
      `The response from ${host} is damaged and cannot be decompressed.`,
      {
        cause: error
      }
    )
  }
  const reason = reasons.find(([pattern]) => pattern.test(code))?.[1]
  return reason ? new OutboundError('NETWORK', `${host} ${reason}`, { cause: error }) : error
}
