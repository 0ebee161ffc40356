import type { Ports } from '#lib/kernel/ctx.ts'
import type { ListedTool } from '#lib/protocol/agent/listed-tool.ts'
import { offeredTools } from './registry.ts'
import { toolsOff } from './tools-off.ts'

/** What this server says of its tools, those that it does not run among them, with why. */
export function listedTools(ports: Pick<Ports, 'scripts' | 'sampleTools'>): ListedTool[] {
  const off = toolsOff(ports)
  return offeredTools(ports).map(({ name, description, where, approval = 'auto', alwaysAsked }) => {
    const unavailable = off.get(name)
    return {
      name,
      description,
      where,
      approval,
      ...(alwaysAsked ? { alwaysAsked } : {}),
      ...(unavailable === undefined ? {} : { unavailable })
    }
  })
}
