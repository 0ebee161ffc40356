import type { HookRun } from '@waystation/protocol/plugin/hook.ts'
import { test } from 'vitest'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { hookWords } from './hook-words.ts'

const words = (run: Pick<HookRun, 'point' | 'outcome' | 'words' | 'blocked'>) => () =>
  hookWords({ plugin: 'desk', startedAt: '2026-01-01T00:00:00.000Z', ms: 1, ...run })

test('a plugin that failed was skipped or blocked what it should have checked', () =>
  expectSentences([
    ['a change', words({ point: 'beforeHandOff', outcome: 'changed' }), 'changed a handoff.'],
    [
      'a cancellation',
      words({ point: 'beforeTool', outcome: 'cancelled', words: 'No.' }),
      'canceled a call: No.'
    ],
    [
      'a failure',
      words({ point: 'beforeTool', outcome: 'failed', words: 'Late.' }),
      'failed on a call and was skipped: Late.'
    ],
    [
      'a failure that blocks',
      words({ point: 'afterTool', outcome: 'failed', words: 'Late.', blocked: true }),
      'failed on a result and blocked it: Late.'
    ]
  ]))
