import { expect, test } from 'vitest'
import { placeErrors } from './place-errors.ts'

const names = ['service', 'scopes', 'oauth.issuer', 'oauth.tokenEndpoint', 'rules.0.deny']
const placed = (errors: Record<string, string>) => {
  const { at, rest } = placeErrors(errors, names)
  return { at: Object.fromEntries(at), rest }
}

test('an error is shown as a sentence at the field with its path', () => {
  expect(placed({ service: 'is missing', 'oauth.issuer': 'Wrong!' })).toEqual({
    at: { service: 'Is missing.', 'oauth.issuer': 'Wrong!' },
    rest: []
  })
})

test('an error below a field is shown at the field and names the entry', () => {
  expect(placed({ 'scopes.1': 'too long', 'rules.0.deny.0': 'invalid', 'scopes.0.url': 'missing' })).toEqual({
    at: { scopes: 'Entry 2: too long. Entry 1 › url: missing.', 'rules.0.deny': 'Entry 1: invalid.' },
    rest: []
  })
  const { at } = placeErrors({ 'scopes.1': 'too long' }, names, { scopes: ['read', 'write'] })
  expect(at.get('scopes')).toBe('Entry 2 (write): too long.')
  const tools = placeErrors({ 'scopes.1.url': 'missing' }, names, { scopes: [{}, { name: 'look up' }] })
  expect(tools.at.get('scopes')).toBe('look up › url: missing.')
})

test('an error of a group is shown at the first field of the group', () => {
  expect(placed({ oauth: 'needs an issuer' })).toEqual({
    at: { 'oauth.issuer': 'Needs an issuer.' },
    rest: []
  })
})

test('errors without a field are returned with the labels of their place, also if a field’s name starts like it', () => {
  expect(placed({ serviceName: 'unknown field', '': 'is too large' })).toEqual({
    at: {},
    rest: ['serviceName: unknown field.', 'Is too large.']
  })
})

test('an error without a field names the entry of a list and has no internal path', () => {
  const values = { chat: { tools: [{ name: 'look up' }] } }
  expect(placeErrors({ 'chat.tools.0.url': 'is missing' }, names, values).rest).toEqual([
    'Tools › look up › url: is missing.'
  ])
})

test('the fields keep their order, so that the first wrong field gets the focus', () => {
  const { at } = placeErrors({ scopes: 'b', service: 'a' }, names)
  expect([...at.keys()]).toEqual(['service', 'scopes'])
})
