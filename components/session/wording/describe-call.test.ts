import { expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'

test('the description of a change of a wiki has the title of the call, so that an approver sees the tiddler and the wiki', () => {
  for (const toolName of ['wiki-write', 'wiki-rename', 'wiki-delete']) {
    const { title, short } = describeCall({ toolName, input: { title: 'Rose' }, title: 'Rose in garden' })
    expect([title, short]).toEqual(['Rose in garden', 'Rose in garden'])
  }
})
