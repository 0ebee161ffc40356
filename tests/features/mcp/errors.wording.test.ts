import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { programsWith } from '@waystation/sandbox'
import { expect, onTestFinished, test } from 'vitest'
import { protectedResource } from '#lib/features/connections/mcp/protected-resource.ts'
import { readAllowList } from '#lib/infra/allow-list.ts'
import { hiddenPaths } from '#lib/infra/hidden-paths.ts'
import { expectSentences } from '#tests/support/expect-sentences.ts'
import { programList } from '#tests/support/fakes/program-list.ts'
import { serveMcp } from '#tests/support/fakes/serve-mcp.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'

test('errors explain why an MCP server cannot be connected', async () => {
  const { ctx } = await startTestServer({ settings: { WAYSTATION_EGRESS_ALLOW: '127.0.0.1' } })
  const { url, behavior } = await serveMcp('https://login.example')
  const { resource } = behavior.metadata
  for (const [metadata, sentence] of [
    [
      { resource: 'https://evil.example/mcp', authorization_servers: ['https://login.example'] },
      `Shop identifies itself as https://evil.example/mcp, which does not match ${url}.`
    ],
    [{ resource }, 'Shop does not name an authorization server (RFC 9728).'],
    [{ resource, authorization_servers: ['login'] }, 'Shop does not name an authorization server (RFC 9728).']
  ] as const) {
    behavior.metadata = metadata
    await expect(protectedResource(ctx, 'Shop', url)).rejects.toMatchObject({ message: sentence })
  }
  await expect(protectedResource(ctx, 'Shop', url.replace('/mcp', '/other'))).rejects.toMatchObject({
    message:
      'Shop publishes no metadata about its authorization server (RFC 9728), so sign-in is not possible.'
  })
})

const silentProgram = {
  command: process.execPath,
  args: ['-e', 'setInterval(() => {}, 1000)'],
  description: 'Says nothing.'
}

test('errors explain why a program that is an MCP server cannot be used', async () => {
  const shownFolder = mkdtempSync(join(tmpdir(), 'shown-'))
  onTestFinished(() => rmSync(shownFolder, { recursive: true }))
  const servers = {
    boxed: silentProgram,
    shows: { ...silentProgram, readOnly: [shownFolder] },
    mute: { ...silentProgram, sandbox: false },
    gone: { ...silentProgram, command: '/nowhere/at-all', sandbox: false }
  }
  const programs = programsWith(await readAllowList(programList(servers)), {
    ...{ version: '1', error: 'bubblewrap is not there.' },
    limits: { ofWorkspace: 2, ofProcess: 3, hello: 30_000 }
  })
  const exposedPrograms = programsWith(await readAllowList(programList(servers)), {
    version: '1',
    hidden: hiddenPaths({ dataDir: join(shownFolder, 'data') })
  })
  onTestFinished(() => programs.stop())
  const stop = new AbortController()
  const listToolsOf = (name: string, workspaceId: string, sessionKey: number, signal = stop.signal) =>
    programs.talk({ workspaceId, sessionKey, generation: 1 }, name, signal, client => client.listTools())
  const running: Promise<unknown>[] = []
  /** Starts a program that runs and never responds. */
  const startSilent = (workspaceId: string, sessionKey: number) =>
    running.push(listToolsOf('mute', workspaceId, sessionKey).catch((error: Error) => error.message))
  await expectSentences([
    [
      'one that nobody allows',
      () => listToolsOf('other', 'a', 1),
      'This server does not allow a program "other". Ask the server operator to add it.'
    ],
    [
      'no sandbox',
      () => listToolsOf('boxed', 'a', 1),
      'The program needs a sandbox, but bubblewrap is not there. Ask the server operator.'
    ],
    [
      "a sandbox that would show what is the server's",
      () =>
        exposedPrograms.talk(
          { workspaceId: 'a', sessionKey: 1, generation: 1 },
          'shows',
          stop.signal,
          client => client.listTools()
        ),
      `The program needs a sandbox, but ${shownFolder}, which the sandbox can read, overlaps with the data directory (WAYSTATION_DATA_DIR). Move one of them. Ask the server operator.`
    ],
    [
      'one that is not there',
      () => listToolsOf('gone', 'a', 1),
      'The program did not start: it exited with code 127.'
    ],
    [
      'as many as a workspace may have',
      () => {
        startSilent('a', 1)
        startSilent('a', 2)
        return listToolsOf('mute', 'a', 3)
      },
      'Limit reached: 2 MCP programs are already running in this workspace. Try again in a minute.'
    ],
    [
      'as many as a process may have',
      () => {
        startSilent('b', 1)
        return listToolsOf('mute', 'c', 1)
      },
      'Limit reached: 3 MCP programs are already running on this server. Try again later.'
    ]
  ])
  stop.abort()
  expect(await Promise.all(running)).toEqual(running.map(() => 'The call was stopped.'))
})

test('errors explain what is wrong with a list of programs', async () => {
  const readList = (list: Record<string, object> | string) => () => readAllowList(programList(list))
  const settings = (label: string) =>
    new RegExp(`^The settings are invalid:\\n {2}- WAYSTATION_MCP_STDIO ${label}$`)
  await expectSentences([
    ['no JSON', readList('{'), settings('points to /.*, which is not valid JSON: .*')],
    [
      'no description',
      readList({ x: { command: 'x' } }),
      settings(
        'points to /.*, which is not a valid list of programs: servers.x.description Invalid input: .*\\. See docs/mcp.md\\.'
      )
    ],
    [
      'a name that is none',
      readList({ 'A b': { command: 'x', description: 'x' } }),
      settings('points to /.*, which is not a valid list of programs: servers.A b .*\\. See docs/mcp.md\\.')
    ]
  ])
})
