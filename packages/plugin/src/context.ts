import type { HandlerContext } from '@connectrpc/connect'
import { type ChatEvent, type ConversationOptions, converse } from './platform.ts'
import type { SettingFields, Settings } from './settings.ts'

/** The context of a call, for its handler. An ID is undefined if the server did not send it. */
export type CallContext<Fields extends SettingFields> = {
  settings: Settings<Fields>
  /** The workspace's variables: the environment of a local plugin, or from Register for a remote one. */
  env: Readonly<Record<string, string | undefined>>
  /** Aborts when the deadline passes or a user stops the turn. */
  signal: AbortSignal
  workspaceId: string | undefined
  sessionId: string | undefined
  /** `person:<user ID>`, `key:<key ID>` or `subject:<end user>`. */
  userId: string | undefined
  callId: string | undefined
  idempotencyKey: string | undefined
  /** Runs a conversation with the workspace's default agent. The last event is `finish` or `error`. */
  converse(input: string, options?: ConversationOptions): AsyncIterable<ChatEvent>
}

/** The context of a stream. `userEmail` is empty for an API key. */
export type StreamContext<Fields extends SettingFields> = CallContext<Fields> & { userEmail: string }

/** The settings and variables of a workspace's last Register. */
export type Registered<Fields extends SettingFields> = Pick<
  CallContext<Fields>,
  'settings' | 'env' | 'workspaceId'
>

/** Returns the settings and variables of a workspace. */
export type Registrations<Fields extends SettingFields> = (
  workspaceId: string | undefined
) => Pick<Registered<Fields>, 'settings' | 'env'>

/** Makes the context of a call. `known` has what a stream's first message says. */
export function contextOf<Fields extends SettingFields>(
  registrations: Registrations<Fields>,
  { signal, requestHeader }: Pick<HandlerContext, 'signal' | 'requestHeader'>,
  known: { workspaceId?: string | undefined; userId?: string | undefined } = {}
): CallContext<Fields> {
  const header = (name: string) => metadataOf(requestHeader, name)
  const workspaceId = known.workspaceId || header('workspace')
  const { settings, env } = registrations(workspaceId)
  return {
    settings,
    env,
    signal,
    workspaceId,
    sessionId: header('session'),
    userId: header('user') || known.userId,
    callId: header('call'),
    idempotencyKey: header('idempotency-key'),
    converse: (input, options) => converse(input, { workspaceId, signal, ...options }, env)
  }
}

/** Reads a value of a call's metadata. It is ASCII, so other characters are percent-encoded. */
export function metadataOf(headers: Headers, name: string): string | undefined {
  const value = headers.get(`x-waystation-${name}`)
  return value === null ? undefined : decodeURIComponent(value)
}
