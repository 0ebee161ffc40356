import type { HookRun } from '@waystation/protocol/plugin/hook.ts'

const about: Partial<Record<HookRun['point'], string>> = {
  beforeTurn: 'the turn',
  beforeRound: 'the step',
  beforeModel: 'the prompt',
  afterModel: "the model's output",
  beforeTool: 'a call',
  beforeHandOff: 'a handoff',
  afterTool: 'a result'
}

/**
 * Describes what a plugin did, after its name: "changed a call.", "failed on the prompt and was skipped: it
 * took longer than 5 s".
 */
export function hookWords({ outcome, point, words = '', blocked }: HookRun): string {
  const what = about[point] ?? point
  const why = words === '' ? '.' : `: ${words}`
  switch (outcome) {
    case 'changed':
      return `changed ${what}.`
    case 'cancelled':
      return `canceled ${what}${why}`
    case 'failed':
      return `failed on ${what} and ${blocked ? 'blocked it' : 'was skipped'}${why}`
  }
}
