import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { protectedResource } from '#lib/features/connections/mcp/protected-resource.ts'
import { readAllowList } from '#lib/infra/sandbox/allow-list.ts'
import { hiddenPaths } from '#lib/infra/sandbox/hidden-paths.ts'
import { programsWith } from '#lib/infra/sandbox/open-programs.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { programList } from '#tests/support/fakes/program-list.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { testWorld } from '#tests/support/worlds/world.ts'

test('why nobody can be asked for consent at an MCP server is told in a sentence', async () => {
  const { ctx } = await testWorld({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
  const { url, told } = await serveMcp('https://login.example')
  const { resource } = told.metadata
  for (const [metadata, sentence] of [
    [
      { resource: 'https://evil.example/mcp', authorization_servers: ['https://login.example'] },
      `Shop identifies itself as https://evil.example/mcp, which does not match ${url}.`
    ],
    [{ resource }, 'Shop does not name an authorization server (RFC 9728).'],
    [{ resource, authorization_servers: ['login'] }, 'Shop does not name an authorization server (RFC 9728).']
  ] as const) {
    told.metadata = metadata
    await expect(protectedResource(ctx, 'Shop', url)).rejects.toMatchObject({ message: sentence })
  }
  await expect(protectedResource(ctx, 'Shop', url.replace('/mcp', '/other'))).rejects.toMatchObject({
    message:
      'Shop publishes no metadata about its authorization server (RFC 9728), so sign-in is not possible.'
  })
})

const never = {
  command: process.execPath,
  args: ['-e', 'setInterval(() => {}, 1000)'],
  description: 'Says nothing.'
}

test('the words for a program that is an MCP server and cannot be had', async () => {
  const shown = mkdtempSync(join(tmpdir(), 'shown-'))
  onTestFinished(() => rmSync(shown, { recursive: true }))
  const servers = {
    boxed: never,
    shows: { ...never, readOnly: [shown] },
    mute: { ...never, sandbox: false },
    gone: { ...never, command: '/nowhere/at-all', sandbox: false }
  }
  const programs = programsWith(await readAllowList(programList(servers)), {
    ...{ version: '1', fault: 'bubblewrap is not there.' },
    limits: { ofWorkspace: 2, ofProcess: 3, hello: 30_000 }
  })
  const exposing = programsWith(await readAllowList(programList(servers)), {
    version: '1',
    hidden: hiddenPaths({ dataDir: join(shown, 'data') })
  })
  onTestFinished(() => programs.stop())
  const stop = new AbortController()
  const ask = (name: string, workspaceId: string, sessionKey: number, signal = stop.signal) =>
    programs.talk({ workspaceId, sessionKey, generation: 1 }, name, signal, talk => talk.listTools())
  const held: Promise<unknown>[] = []
  /** A program that runs, and never answers. */
  const holds = (workspaceId: string, sessionKey: number) =>
    held.push(ask('mute', workspaceId, sessionKey).catch((error: Error) => error.message))
  await expectSentences([
    [
      'one that nobody allows',
      () => ask('other', 'a', 1),
      'This server does not allow a program "other". Ask the server operator to add it.'
    ],
    [
      'no sandbox',
      () => ask('boxed', 'a', 1),
      'The program needs a sandbox, but bubblewrap is not there. Ask the server operator.'
    ],
    [
      "a sandbox that would show what is the server's",
      () =>
        exposing.talk({ workspaceId: 'a', sessionKey: 1, generation: 1 }, 'shows', stop.signal, talk =>
          talk.listTools()
        ),
      `The program needs a sandbox, but ${shown}, which the sandbox can read, overlaps with the data directory (WAYSTATION_DATA_DIR). Move one of them. Ask the server operator.`
    ],
    [
      'one that is not there',
      () => ask('gone', 'a', 1),
      'The program did not start: it exited with code 127.'
    ],
    [
      'as many as a workspace may have',
      () => {
        holds('a', 1)
        holds('a', 2)
        return ask('mute', 'a', 3)
      },
      'Limit reached: 2 MCP programs are already running in this workspace. Try again in a minute.'
    ],
    [
      'as many as a process may have',
      () => {
        holds('b', 1)
        return ask('mute', 'c', 1)
      },
      'Limit reached: 3 MCP programs are already running on this server. Try again later.'
    ]
  ])
  stop.abort()
  expect(await Promise.all(held)).toEqual(held.map(() => 'The call was stopped.'))
})

test('the words for a list of programs that is broken', async () => {
  const read = (list: Record<string, object> | string) => () => readAllowList(programList(list))
  const settings = (what: string) =>
    new RegExp(`^The settings are invalid:\\n {2}- WAYSTATION_MCP_STDIO ${what}$`)
  await expectSentences([
    ['no JSON', read('{'), settings('points to /.*, which is not valid JSON: .*')],
    [
      'no description',
      read({ x: { command: 'x' } }),
      settings(
        'points to /.*, which is not a valid list of programs: servers.x.description Invalid input: .*\\. See docs/mcp.md\\.'
      )
    ],
    [
      'a name that is none',
      read({ 'A b': { command: 'x', description: 'x' } }),
      settings('points to /.*, which is not a valid list of programs: servers.A b .*\\. See docs/mcp.md\\.')
    ]
  ])
})
