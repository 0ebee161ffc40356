import { Code, ConnectError } from '@connectrpc/connect'
import { OutboundError } from '#lib/net/outbound-error.ts'
import { explainTls } from './explain-tls.ts'
import { PluginError } from './plugin-error.ts'
import { wordsOf } from './untrusted.ts'

/**
 * What went wrong in a call, in our words.
 *
 * A plugin that dies in the middle shows as "canceled", "aborted", "internal" or "unavailable", by who noticed first: when it
 * was not us who gave up, all of them mean that it is gone.
 *
 * @param signal the caller's: aborted, nothing is the plugin's fault
 */
export function explain(error: unknown, signal?: AbortSignal): PluginError {
  if (error instanceof PluginError) return error
  if (signal?.aborted) return new PluginError('stopped', 'The call was stopped.', { cause: error })
  for (let at: unknown = error, depth = 0; at instanceof Error && depth < 10; at = at.cause, depth++) {
    if (at instanceof PluginError) return at
    if (at instanceof OutboundError)
      return new PluginError(at.code === 'BLOCKED_TARGET' ? 'blocked' : 'unavailable', at.message)
    const ofTls = explainTls(at)
    if (ofTls !== undefined) return new PluginError('unavailable', ofTls, { cause: error })
  }
  const { code, rawMessage } = ConnectError.from(error)
  const said = wordsOf(rawMessage, 300).replace(/\.$/, '')
  const fault = (kind: PluginError['fault'], words: string) => new PluginError(kind, words, { cause: error })
  switch (code) {
    case Code.DeadlineExceeded:
      return fault('late', 'The plugin did not respond in time.')
    case Code.Unimplemented:
      return fault('missing', 'The plugin does not implement this call.')
    case Code.ResourceExhausted:
      return /larger than/.test(rawMessage)
        ? fault('too-large', `The request to the plugin or its response is too large: ${said}.`)
        : fault('busy', `The plugin has no capacity left: ${said || 'RESOURCE_EXHAUSTED'}.`)
    case Code.Internal:
    case Code.InvalidArgument:
      if (/^(parse binary|cannot decode|premature EOF|invalid wire|illegal)/i.test(rawMessage))
        return fault('invalid', `The plugin's response cannot be read: ${said}.`)
  }
  switch (code) {
    case Code.Canceled:
    case Code.Aborted:
    case Code.Internal:
    case Code.Unavailable:
      return fault('unavailable', `The plugin is unavailable${said ? `: ${said}` : ''}.`)
    case Code.Unauthenticated:
    case Code.PermissionDenied:
      return fault('unauthorized', `The plugin rejected the credentials: ${said || Code[code]}.`)
    // What an exception in the plugin becomes: nobody says whether it passes.
    case Code.Unknown:
    case Code.DataLoss:
      return fault('failed', `The plugin failed: ${said || Code[code]}.`)
    default:
      return fault('refused', `The plugin rejected the call: ${said || Code[code]}.`)
  }
}
