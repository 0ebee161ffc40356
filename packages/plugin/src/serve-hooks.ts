import type { ConnectRouter } from '@connectrpc/connect'
import { lifecycleTypes } from '@waystation/plugin-host/contract.ts'
import { Action, EventType, LifecycleHook } from '@waystation/plugin-host/generated/lifecycle_pb.ts'
import { type CallContext, contextOf, type Registrations } from './context.ts'
import type { HookName, HookPayloads, HookResult } from './payloads.ts'
import { answering } from './services.ts'
import type { SettingFields } from './settings.ts'

/** Hooks by event. `agentName` is the ID of the agent. */
export type Hooks<Fields extends SettingFields> = {
  [Name in HookName]?: (
    event: HookPayloads[Name],
    context: CallContext<Fields> & { agentName: string }
  ) => HookResult<HookPayloads[Name]> | Promise<HookResult<HookPayloads[Name]>>
}

type AnyHook<Fields extends SettingFields> = (
  event: unknown,
  context: CallContext<Fields> & { agentName: string }
) => HookResult<unknown> | Promise<HookResult<unknown>>

/** Serves the hooks. An event without a hook continues. */
export function serveHooks<Fields extends SettingFields>(
  router: ConnectRouter,
  hooks: Hooks<Fields>,
  registrations: Registrations<Fields>
): void {
  router.service(LifecycleHook, {
    onEvent: answering(async ({ type, agentName, payloadJson }, call) => {
      const name = lifecycleTypes[type - EventType.AGENT_START]
      const hook = (name && hooks[name]) as AnyHook<Fields> | undefined
      if (hook === undefined) return { action: Action.CONTINUE }
      const payload = JSON.parse(new TextDecoder().decode(payloadJson))
      const result = await hook(payload, { ...contextOf(registrations, call), agentName })
      if (result === undefined) return { action: Action.CONTINUE }
      if (result === 'CANCEL') return { action: Action.CANCEL }
      const modifiedPayloadJson = new TextEncoder().encode(JSON.stringify(result.modify))
      return { action: Action.MODIFY, modifiedPayloadJson }
    })
  })
}
