import type { Ports } from '#lib/kernel/ctx.ts'
import { offBecause } from '#lib/kernel/ports/scripts.ts'
import { scriptTool } from '#lib/protocol/call/script.ts'

/** The tools that this server brings and does not run, by name, each with why: a sentence for the model and for people. */
export function toolsOff({ scripts }: Pick<Ports, 'scripts'>): ReadonlyMap<string, string> {
  if (scripts === undefined)
    return new Map([
      [scriptTool, 'Scripts are off on this server. The operator can switch them on with WAYSTATION_ZX=1.']
    ])
  return new Map(scripts.fault === undefined ? [] : [[scriptTool, offBecause(scripts.fault)]])
}
