import { OutboundError } from '@waystation/egress'
import * as oauth from 'openid-client'
import { ProviderError } from './provider.ts'

/**
 * Converts an error of a provider to a message for users. It quotes only the name and description of the
 * provider's error.
 */
export function providerErrorOf(service: string, error: unknown): ProviderError {
  if (error instanceof ProviderError) return error
  if (error instanceof oauth.AuthorizationResponseError || error instanceof oauth.ResponseBodyError) {
    const described = error.error_description === undefined ? '' : `: ${singleLine(error.error_description)}`
    const again = 'status' in error && error.status >= 500
    return new ProviderError(`${service} returned the error ${singleLine(error.error)}${described}.`, {
      again,
      cause: error
    })
  }
  const outbound = outboundIn(error)
  if (outbound !== undefined)
    return new ProviderError(`${service} could not be reached: ${outbound.message}`, {
      again: true,
      cause: error
    })
  const detail =
    error instanceof Error ? messagesByCode[String((error as { code?: unknown }).code)] : undefined
  const again = (error as { code?: unknown } | undefined)?.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM'
  return new ProviderError(
    `The response from ${service} cannot be used${detail === undefined ? '' : `: ${detail}`}.`,
    {
      again,
      cause: error
    }
  )
}

/**
 * Messages for users, because those of the library are for developers (see its `codes.d.ts`). `granted.ts`
 * throws the last code.
 */
const messagesByCode: Record<string, string> = {
  OAUTH_INVALID_RESPONSE: 'it does not match the request, or came from another issuer',
  OAUTH_INVALID_REQUEST: 'it does not match the request',
  OAUTH_RESPONSE_IS_NOT_JSON: 'it is not JSON',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'its status or format does not follow the standard',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'it came from another issuer, or is for another client',
  OAUTH_JWT_CLAIM_COMPARISON_FAILED: 'its ID token is for another client',
  OAUTH_HTTP_REQUEST_FORBIDDEN: 'it would use plain HTTP',
  OAUTH_REQUEST_PROTOCOL_FORBIDDEN: 'it would use plain HTTP',
  OAUTH_TIMEOUT: 'it did not arrive in time',
  TOKEN_IS_NOT_PRINTABLE: 'its token has characters that cannot be sent in a header'
}

function outboundIn(error: unknown): OutboundError | undefined {
  if (error instanceof OutboundError) return error
  return error instanceof Error && error.cause !== undefined ? outboundIn(error.cause) : undefined
}

/** Returns the text on one line, without control characters, and truncates it. */
const singleLine = (text: string): string =>
  text
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, 300)
    .replace(/\.$/, '')
