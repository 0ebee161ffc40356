import { Code, ConnectError } from '@connectrpc/connect'
import { OutboundError } from '@waystation/egress'
import { explainTls } from './explain-tls.ts'
import { maxMessageBytes } from './limits.ts'
import { PluginError } from './plugin-error.ts'
import { toSingleLine } from './untrusted.ts'

const maxMessageMib = maxMessageBytes / 2 ** 20

/** The message if the plugin's connection ends during a call. */
export const closed = 'The plugin is unavailable: it closed the connection.'

/** The message if the plugin cannot have received the call. */
export const notListening = 'The plugin is unavailable: no program listens at its address.'

const notGrpc = 'The program at this address does not speak gRPC. Check the address.'

/** Explains Node's error of a connection. Returns undefined for every other error. */
function explainConnection(error: Error): string | undefined {
  const { code } = error as { code?: unknown }
  if (code === 'ECONNREFUSED') return notListening
  if (code === 'ECONNRESET' || code === 'EPIPE') return closed
  // The other program sent something that is not HTTP/2.
  return code === 'ERR_HTTP2_ERROR' && error.message === 'Protocol error' ? notGrpc : undefined
}

/**
 * Turns an error of a call into a `PluginError`.
 *
 * If a plugin dies during a call, the code is CANCELED, ABORTED, INTERNAL or UNAVAILABLE, depending on who
 * noticed first. Unless the caller canceled, all of them mean that the plugin is unavailable. Only an INTERNAL
 * without a cause is the plugin's own answer.
 *
 * @param signal the caller's signal: if it is aborted, the error is `stopped`
 */
export function explain(error: unknown, signal?: AbortSignal): PluginError {
  if (error instanceof PluginError) return error
  if (signal?.aborted) return new PluginError('stopped', 'The call was stopped.', { cause: error })
  for (
    let cause: unknown = error, depth = 0;
    cause instanceof Error && depth < 10;
    cause = cause.cause, depth++
  ) {
    if (cause instanceof PluginError) return cause
    if (cause instanceof OutboundError)
      return new PluginError(cause.code === 'BLOCKED_TARGET' ? 'blocked' : 'unavailable', cause.message)
    const message = explainTls(cause) ?? explainConnection(cause)
    if (message !== undefined) return new PluginError('unavailable', message, { cause: error })
  }
  const { code, rawMessage } = ConnectError.from(error)
  const [, reset] = /^http\/2 stream closed with error code (\w+)/.exec(rawMessage) ?? []
  if (reset === 'CANCEL' || reset === 'NO_ERROR')
    return new PluginError('unavailable', closed, { cause: error })
  const detail = toSingleLine(rawMessage, 300).replace(/\.$/, '')
  const pluginError = (kind: PluginError['reason'], message: string) =>
    new PluginError(kind, message, { cause: error })
  switch (code) {
    case Code.DeadlineExceeded:
      return pluginError('late', 'The plugin did not respond in time.')
    case Code.Unimplemented:
      return pluginError('missing', 'The plugin does not implement this call.')
    case Code.ResourceExhausted:
      // The text of Connect for this server's limit, which a plugin of @waystation/plugin has too.
      if (/larger than configured \w+MaxBytes/.test(rawMessage))
        return pluginError(
          'too-large',
          `A message to or from the plugin is larger than ${maxMessageMib} MiB.`
        )
      return /larger than/.test(rawMessage)
        ? pluginError('too-large', `The request to the plugin or its response is too large: ${detail}.`)
        : pluginError('busy', `The plugin has no capacity left: ${detail || 'RESOURCE_EXHAUSTED'}.`)
    case Code.Internal:
    case Code.InvalidArgument:
      if (/^(parse binary|cannot decode|premature EOF|invalid wire|illegal)/i.test(rawMessage))
        return pluginError('invalid', `The plugin's response cannot be read: ${detail}.`)
  }
  if (code === Code.Internal && reset === undefined && (error as { cause?: unknown }).cause === undefined)
    return pluginError('failed', `The plugin failed: ${detail || Code[code]}.`)
  switch (code) {
    case Code.Canceled:
    case Code.Aborted:
    case Code.Internal:
    case Code.Unavailable:
      return pluginError('unavailable', `The plugin is unavailable${detail ? `: ${detail}` : ''}.`)
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return pluginError('unauthorized', `The plugin rejected the credentials: ${detail || Code[code]}.`)
    // An exception in the plugin. Nothing says whether a retry would help.
    case Code.Unknown:
    case Code.DataLoss:
      return pluginError('failed', `The plugin failed: ${detail || Code[code]}.`)
    default:
      return pluginError('refused', `The plugin rejected the call: ${detail || Code[code]}.`)
  }
}
