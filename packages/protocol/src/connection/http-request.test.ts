import { expect, test } from 'vitest'
import { HttpRequest } from './http-request.ts'

const isValid = (request: object) =>
  HttpRequest.safeParse({ url: 'https://api.example.com/items', ...request }).success

test('a body of up to 256 KiB is sent as text or JSON, counted in bytes', () => {
  const post = (body: unknown) => isValid({ method: 'POST', body })
  for (const body of ['x'.repeat(262_144), { a: 'x'.repeat(262_136) }, [1], '']) expect(post(body)).toBe(true)
  for (const body of ['x'.repeat(262_145), 'é'.repeat(131_073), { a: 'x'.repeat(262_137) }, 7])
    expect(post(body)).toBe(false)
})

test('headers that say how to read content are permitted in any spelling, and those that say who sends it are not', () => {
  for (const name of ['Accept', 'CONTENT-TYPE', 'If-None-Match', 'Notion-Version', 'X-GitHub-Api-Version'])
    expect(isValid({ headers: { [name]: 'x' } }), name).toBe(true)
  for (const name of [
    'Authorization',
    'Cookie',
    'Host',
    'X-Api-Key',
    'Idempotency-Key',
    'Content-Length',
    'a b-version'
  ])
    expect(isValid({ headers: { [name]: 'x' } }), name).toBe(false)
})

test('a URL that an approver would read differently from the server is not valid', () => {
  for (const url of [
    'https://a.example/x?path=/../y',
    'https://a.example/a..b/.c',
    'https://a.example/a%20b'
  ])
    expect(isValid({ url }), url).toBe(true)
  for (const url of [
    'https://a.example/./x',
    'https://a.example/x/..',
    'https://a.example\\@b.example/',
    'https:\n//a.example/'
  ])
    expect(isValid({ url }), url).toBe(false)
})
