import { expect, test } from 'vitest'
import { describeCall } from './describe-call.ts'

test('the description of a change of a wiki has the title of the call, so that an approver sees the tiddler and the wiki', () => {
  for (const toolName of ['wiki-write', 'wiki-rename', 'wiki-delete']) {
    const { title, short } = describeCall({ toolName, input: { title: 'Rose' }, title: 'Rose in garden' })
    expect([title, short]).toEqual(['Rose in garden', 'Rose in garden'])
  }
})

test('a long URL is not in the title, so the card shows it among the arguments, and short names of URLs differ', () => {
  const fetch = (url: string) => describeCall({ toolName: 'web-fetch', input: { url } })
  const long = (end: string) => fetch(`https://example.com/${'a/'.repeat(100)}${end}`)
  expect(long('x')).toMatchObject({ says: [] })
  expect(long('x').title.length).toBeLessThan(100)
  expect(long('x').short).not.toBe(long('y').short)
  expect(fetch('https://example.com/?a').short).not.toBe(fetch('https://example.com/?b').short)
})

test('an argument is left out of a card only if the title contains all of it', () => {
  const says = (input: object) => describeCall({ toolName: 'create-issue', input }).says
  expect(says({ title: 'Leak', body: 'In room 4' })).toEqual(['title'])
  expect(says({ title: 'Leak\nin room 4' })).toEqual([])
  expect(says({ title: 'x'.repeat(201) })).toEqual([])
})

test('the title of a tool describes its calls if it starts with a verb, and the main argument is added once', () => {
  const deploy = {
    toolName: 'deploy-prod',
    title: 'Deploy to production',
    input: { service: 'shop', version: '2' }
  }
  expect(describeCall(deploy)).toMatchObject({ title: 'Deploy to production: shop', says: ['service'] })
  const issue = { toolName: 'github-issue', title: 'Open an issue in way: Leak', input: { title: 'Leak' } }
  expect(describeCall(issue)).toMatchObject({ title: 'Open an issue in way: Leak', says: [] })
  const order = { toolName: 'shop__place-order', title: 'Shop: Place order', input: {} }
  expect(describeCall(order)).toMatchObject({ title: 'Shop: Place order', button: 'Shop: Place order' })
  const noun = { toolName: 'weather', title: 'Weather', input: { city: 'Bergen' } }
  expect(describeCall(noun)).toMatchObject({ title: 'Weather: Bergen', button: 'Approve' })
})
