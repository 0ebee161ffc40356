import { fieldErrors } from '@waystation/protocol/field-errors.ts'
import { expect, test } from 'vitest'
import { AgentConfig } from './agent.ts'

/** Returns the paths of the errors of an agent with this tool. */
function pathsOf(tool: object): string[] {
  const parsed = AgentConfig.safeParse({ agentId: 'a', displayName: 'A', chat: { tools: [tool] } })
  return parsed.success ? [] : Object.keys(fieldErrors(parsed.error))
}

const at = (path: string) => [`chat.tools.0.services${path}`]

test('http-request requires services, and no other tool can have them', () => {
  const services = [{ integration: 'google', hosts: ['www.googleapis.com'], methods: ['GET', 'POST'] }]
  expect(pathsOf({ name: 'http-request', services })).toEqual([])
  expect(pathsOf({ name: 'http-request' })).toEqual(at(''))
  expect(pathsOf({ name: 'http-request', services: [] })).toEqual(at(''))
  expect(pathsOf({ name: 'web-fetch', services })).toEqual(at(''))
})

test('a host is what a URL would contain, without a scheme, a path or a wildcard', () => {
  const pathsWith = (host: string) =>
    pathsOf({ name: 'http-request', services: [{ integration: 'own', hosts: [host] }] })
  for (const host of ['api.example.com', 'localhost:3000', '[::1]:80']) expect(pathsWith(host)).toEqual([])
  for (const host of ['API.example.com', 'https://a.example', 'a.example/x', '*.example', 'a@b.example', ''])
    expect(pathsWith(host), host).toEqual(at('.0.hosts.0'))
  expect(pathsOf({ name: 'http-request', services: [{ integration: 'own', methods: ['TRACE'] }] })).toEqual(
    at('.0.methods.0')
  )
})
