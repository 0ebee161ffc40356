import type { Call } from '@waystation/protocol/call/call.ts'
import { expect, test } from 'vitest'
import { ApprovalWidget } from './approval.tsx'
import { ClientInfoWidget } from './client-info.tsx'
import { ExternalWidget } from './external.tsx'
import { GenericWidget } from './generic.tsx'
import { LimitWidget } from './limit.tsx'
import { QuestionWidget } from './question.tsx'
import type { Widget } from './widget.ts'
import { widgetFor } from './widget-for.ts'

const call = (more: Pick<Call, 'toolName' | 'kind'> & Partial<Call>) => more as Call

test.each<[string, Call, Widget]>([
  ['its render hint', call({ toolName: 'x', kind: 'client', render: { kind: 'question' } }), QuestionWidget],
  [
    'its render hint before its tool’s name',
    call({ toolName: 'client-info', kind: 'client', render: { kind: 'question' } }),
    QuestionWidget
  ],
  [
    'its tool’s name, if its render hint is unknown',
    call({ toolName: 'client-info', kind: 'client', render: { kind: 'hologram' } }),
    ClientInfoWidget
  ],
  [
    'its tool’s name, if it has no render hint',
    call({ toolName: 'client-info', kind: 'client' }),
    ClientInfoWidget
  ],
  [
    'its kind, if its render hint and tool name are unknown',
    call({ toolName: 'dispatch', kind: 'external' }),
    ExternalWidget
  ],
  ['its kind, for the “continue?” question', call({ toolName: 'continue', kind: 'limit' }), LimitWidget]
])('002-4: a call’s widget is chosen by %s', (_by, chosen, widget) => {
  expect(widgetFor(chosen)).toBe(widget)
})

test('002-4: an approval always has the approval widget, for any tool name and render hint', () => {
  for (const tool of [
    { toolName: 'web-fetch' },
    { toolName: 'ask-question', render: { kind: 'question' } },
    { toolName: 'client-info', render: { kind: 'client-info' } }
  ])
    expect(widgetFor(call({ ...tool, kind: 'approval' })), tool.toolName).toBe(ApprovalWidget)
})

test('002-5: an unknown call has the generic widget', () => {
  for (const unknown of [
    call({ toolName: 'pick-file', kind: 'client' }),
    call({ toolName: 'pick-file', kind: 'client', render: { kind: 'hologram' } }),
    call({ toolName: 'x', kind: 'connection' })
  ])
    expect(widgetFor(unknown)).toBe(GenericWidget)
})
