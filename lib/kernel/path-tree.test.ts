import { expect, test } from 'vitest'
import { pathTree, segmentsOf } from './path-tree.ts'

const paths = [
  '/api/agents',
  '/api/agents/{agentId}',
  '/api/agents/new',
  '/api/agents/{agentId}/draft',
  '/api/agents/new/{part}/x',
  '/files/{name}',
  '/files/*'
]
const tree = pathTree(paths.map(path => [path, path] as const))
const find = (path: string) => tree(segmentsOf(path))

test.each([
  ['/api/agents', '/api/agents', {}],
  ['/api/agents/new', '/api/agents/new', {}],
  ['/api/agents/one', '/api/agents/{agentId}', { agentId: 'one' }],
  ['/api/agents/new/draft', '/api/agents/{agentId}/draft', { agentId: 'new' }],
  ['/api/agents/a%2Fb', '/api/agents/{agentId}', { agentId: 'a%2Fb' }],
  ['/files/a', '/files/{name}', { name: 'a' }],
  ['/files/a/b', '/files/*', {}]
])('%s matches %s', (path, value, params) => {
  expect(find(path)).toEqual({ value, params })
})

test.each(['/', '/api', '/api/agents/', '/api//agents', '/api/agents/one/other', '/files', '/API/agents'])(
  '%s matches no path',
  path => {
    expect(find(path)).toBeUndefined()
  }
)

test('a parameter can have the name of any property', () => {
  const params = pathTree([['/{__proto__}/{constructor}', 1]])(['a', 'b'])?.params
  expect(Object.entries(params ?? {})).toEqual([
    ['__proto__', 'a'],
    ['constructor', 'b']
  ])
})
