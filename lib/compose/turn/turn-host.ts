import { isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { TurnHost } from '#lib/engine/worker/worker-context.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import type { Tool } from '#lib/tools/tool.ts'
import { bindTurn } from './bind-turn.ts'
import { createSetups } from './setup.ts'
import type { TurnServices } from './turn-services.ts'

/** Returns the turns of this server for the engine's worker. */
export const turnHost = (
  services: TurnServices,
  tools: ReadonlyMap<string, Tool<never, unknown>>
): TurnHost => {
  const setups = createSetups()
  return {
    bindTurn: (...turn) => bindTurn(services, setups, ...turn),
    describeError: services.describeError,
    isRepeatable(name) {
      // Handoff and acknowledge tools are not in the list of tools.
      if (isHandOff(name)) return true
      return (name === acknowledge.name ? acknowledge : tools.get(name))?.repeatable ?? false
    }
  }
}
