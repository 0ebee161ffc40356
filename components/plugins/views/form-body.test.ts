import type { ViewBlock } from '@waystation/protocol/plugin/plugin-view.ts'
import { expect, test } from 'vitest'
import { bodyOf } from './form-body.ts'

const field = (name: string, attributes: ViewBlock['attributes']): ViewBlock => ({
  type: 'field',
  labels: [name],
  attributes,
  blocks: []
})

test('a number field is sent as a number, and as null if it is empty', () => {
  const fields = ['weight', 'depth', 'width'].map(name => field(name, { type: 'number' }))
  const values = { weight: ' 2.5 ', depth: '-1e3', width: '', urgent: true, text: '7' }
  expect(bodyOf([...fields, field('text', { type: 'string' })], values)).toEqual({
    body: { weight: 2.5, depth: -1000, width: null, urgent: true, text: '7' },
    faults: {}
  })
})

test('a form names the required fields without a value and the number fields without a number', () => {
  const fields = [
    field('title', { type: 'string', required: true }),
    field('weight', { type: 'number' }),
    field('depth', { type: 'number', required: true })
  ]
  const { faults } = bodyOf(fields, { title: ' ', weight: '2 kg', depth: '' })
  expect(Object.keys(faults)).toEqual(['title', 'weight', 'depth'])
})
