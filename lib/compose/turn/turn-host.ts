import { isHandOff } from '@waystation/protocol/agent/hand-off.ts'
import type { TurnHost } from '#lib/engine/worker/worker-context.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { acknowledge } from '#lib/tools/acknowledge.ts'
import { bindTurn } from './bind-turn.ts'
import { createSetups } from './setup.ts'
import type { TurnServices } from './turn-services.ts'

/** Returns the turns of this server for the engine's worker. */
export const turnHost = (services: TurnServices, ports: Pick<Ports, 'tools'>): TurnHost => {
  const setups = createSetups()
  return {
    bindTurn: (...turn) => bindTurn(services, setups, ...turn),
    describeError: services.describeError,
    isRepeatable(name) {
      // Handoff and acknowledge tools are not in the list of tools.
      if (isHandOff(name)) return true
      return (name === acknowledge.name ? acknowledge : ports.tools.get(name))?.repeatable ?? false
    }
  }
}
