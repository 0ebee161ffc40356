import type { HookRun } from '#lib/protocol/hook.ts'

const about: Partial<Record<HookRun['point'], string>> = {
  beforeTurn: 'the turn',
  beforeRound: 'the round',
  beforeModel: 'the prompt',
  afterModel: 'what the model said',
  beforeTool: 'a call',
  afterTool: 'a result'
}

/** What a plugin did, in words, behind its name: "changed a call", "failed at the prompt: it took longer than 5 s". */
export function hookWords({ outcome, point, words = '' }: HookRun): string {
  const what = about[point] ?? point
  const why = words === '' ? '.' : `: ${words}`
  switch (outcome) {
    case 'changed':
      return `changed ${what}.`
    case 'cancelled':
      return `cancelled ${what}${why}`
    case 'failed':
      return `failed at ${what} and stood aside${why}`
  }
}
