import { expect, test } from 'vitest'
import { viewLabel } from './view-label.ts'

test('003-12: a label that several views have is followed by the plugin, or else by the name of each', () => {
  const views = [
    { plugin: 'desk', name: 'tasks', label: 'Tasks' },
    { plugin: 'desk', name: 'old', label: 'Old' },
    { plugin: 'shop', name: 'tasks', label: 'Tasks' },
    { plugin: 'shop', name: 'a', label: 'Orders' },
    { plugin: 'shop', name: 'b', label: 'Orders' }
  ]
  expect(views.map(view => viewLabel(view, views))).toEqual([
    'Tasks (desk)',
    'Old',
    'Tasks (shop)',
    'Orders (a)',
    'Orders (b)'
  ])
})
