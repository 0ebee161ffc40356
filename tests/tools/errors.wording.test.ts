import { expect, test } from 'vitest'
import { featurePorts } from '#lib/compose/extensions.ts'
import { toolsWith } from '#lib/compose/tools.ts'
import { textOfFile } from '#lib/features/connections/github.ts'
import { questionAnswers } from '#lib/features/connections/mcp/mcp-questions.ts'
import { textOf } from '#lib/features/connections/mcp/mcp-result.ts'
import { presets } from '#lib/features/connections/presets.ts'
import { createWiki } from '#lib/features/wikis/create-wiki.ts'
import type { Ports } from '#lib/kernel/ctx.ts'
import { executeTool, type Time, type ToolContext } from '#lib/tools/execute.ts'
import { resolveTools } from '#lib/tools/resolve.ts'
import { jsonOf } from '#lib/tools/service-response.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { allowErrors } from '#tests/support/expected-errors.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

const inputs: Record<string, object> = {
  'web-fetch': { url: 'https://example.com/' },
  'github-read-file': { repository: 'acme/shop', path: 'README.md' },
  'zx-script': { script: '1' }
}
const ampleTime: Time = { seconds: 60, remaining: 60, together: 60 }

/** Runs a tool whose requests never get a response, and returns what the model receives. */
async function errorOf(toolName: string, time: Time = ampleTime, signal = new AbortController().signal) {
  const noResponse = new Promise<never>(() => {})
  const ports = { ...featurePorts(), integrations: presets, scripts: {} } as unknown as Ports
  const host = {
    fetch: () => noResponse,
    ctx: { ports, workspaceId: 'w', sql: () => noResponse },
    lease: { sessionKey: 1 }
  }
  const tools = resolveTools(ports, toolName in inputs ? [{ name: toolName }] : [], [])
  const call = { toolCallId: 'call_1', toolName, input: inputs[toolName] }
  const outcome = await executeTool(tools, call, host as unknown as ToolContext, signal, time)
  return outcome.type === 'error' ? outcome.text : outcome
}

test('errors explain why a tool did not run or did not finish', () =>
  expectSentences([
    ['a tool that is not there', () => errorOf('none'), 'There is no tool "none" that runs on the server.'],
    [
      'a call that nobody approved',
      () => errorOf('zx-script'),
      'The call of zx-script did not run, because it was not approved.'
    ],
    [
      'no time is left',
      () => errorOf('web-fetch', { seconds: 60, remaining: 0, together: 30 }),
      'The call did not run: the calls of this step took longer than 30 s.'
    ],
    [
      'the time of its step is over',
      () => errorOf('web-fetch', { seconds: 60, remaining: 0.01, together: 30 }),
      'The call was stopped: the calls of this step took longer than 30 s together. Its effect is unknown: check before you repeat it.'
    ],
    [
      'its own time is over',
      () => errorOf('web-fetch', { ...ampleTime, seconds: 0.01 }),
      'The call took longer than 0.01 s and was stopped. Its effect is unknown: check before you repeat it.'
    ],
    [
      'the time of one that can be repeated is over',
      () => errorOf('github-read-file', { ...ampleTime, seconds: 0.01 }),
      'The call took longer than 0.01 s and was stopped.'
    ],
    ['Stop', () => errorOf('web-fetch', ampleTime, AbortSignal.abort()), 'The call was stopped.']
  ]))

test('a bug in a tool is logged, and the model sees nothing of it', async () => {
  allowErrors(/A tool failed unexpectedly/)
  const tool = {
    ...toolsWith().get('web-fetch'),
    execute: () => Promise.reject(new TypeError('x of undefined'))
  }
  const ports = { ...featurePorts(), tools: new Map([['web-fetch', tool]]) } as unknown as Ports
  const host = { fetch: () => {}, ctx: { ports }, lease: {} } as unknown as ToolContext
  const tools = resolveTools(ports, [{ name: 'web-fetch' }], [])
  const call = { toolCallId: 'call_1', toolName: 'web-fetch', input: inputs['web-fetch'] }
  const outcome = await executeTool(tools, call, host, new AbortController().signal, ampleTime)
  expect(outcome).toEqual({
    type: 'error',
    text: 'The tool failed because of an error in the server. Try another way, or tell the user.'
  })
})

test('errors explain the response of an external service to a tool', async () => {
  const answer = (status: number, body: string) =>
    ({ status, text: () => body }) as Parameters<typeof jsonOf>[1]
  const readResponse = (status: number, body: string) => () => jsonOf('GitHub', answer(status, body))
  const question = { message: 'Which one?', schema: { type: 'object', properties: {} } }
  const replies = Array.from({ length: 20 }, (_, n) => ({
    question: `q-${n}`,
    reply: { action: 'decline' as const }
  }))
  await expectSentences([
    [
      'an error in JSON',
      readResponse(422, '{"message":"Validation Failed"}'),
      'GitHub returned 422: Validation Failed'
    ],
    ['an error in text', readResponse(404, 'no such page'), 'GitHub returned 404: no such page'],
    ['an error without a word', readResponse(503, ''), 'GitHub returned 503: no details'],
    ['a page instead of JSON', readResponse(200, '<html>'), 'The response from GitHub is not JSON.'],
    [
      'a file that is no text',
      () => textOfFile('logo.png', answer(200, 'a\0b')),
      'logo.png is not a text file.'
    ],
    [
      'an MCP tool that failed without a word',
      () => textOf({ content: [], isError: true }),
      'The call failed without a reason.'
    ],
    [
      'an MCP server that asks again and again',
      () => questionAnswers('Shop', replies)(question),
      'The call asked more than 20 questions and was stopped.'
    ],
    [
      'an MCP server that asks more than a form shows',
      () => questionAnswers('Shop', [])({ ...question, message: 'x'.repeat(4001) }),
      'The call asked a question that cannot be shown as a form, and was stopped.'
    ]
  ])
})

test('errors explain why the arguments of a call cannot be used', async () => {
  const search = (wiki?: string) => ({ name: 'wiki-search', input: { query: 'tea', ...(wiki && { wiki }) } })
  const server = await startTestServer({
    script: [
      replyCalls(search(), { name: 'wiki-search', input: { query: 'x'.repeat(513 * 1024) } }),
      replyText('So be it.'),
      replyCalls(search(), search('attic')),
      replyText('I see.')
    ]
  })
  await server.saveAgent({ chat: { tools: [{ name: 'wiki-search' }] } })
  const session = await server.startSession('test')
  await session.runTurn('Look.')
  for (const name of ['cellar', 'garden']) await createWiki(server.ctx, { name })
  await session.runTurn('Look again.')
  const { calls: sessionCalls } = await session.get()
  const result = (n: number) => () => sessionCalls[n]?.errorText
  await expectSentences([
    ['no wiki', result(0), 'There is no wiki that you can use.'],
    ['arguments that are too long', result(1), 'The arguments are longer than 512 KiB.'],
    ['one of two wikis', result(2), 'Name the wiki. Available wikis: cellar, garden.'],
    ['a wiki that is not there', result(3), 'There is no wiki "attic". Available wikis: cellar, garden.']
  ])
})
