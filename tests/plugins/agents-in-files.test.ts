import { expect, test } from 'vitest'
import { getAgent } from '#lib/agents/get.ts'
import { replyCalls, replyText } from '#tests/support/fakes/openai-replies.ts'
import { serveTestPlugin } from '#tests/support/fakes/plugins/serve-test-plugin.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const startWith = async (agents: string, script = [replyText('Done.')]) => {
  const plugin = await serveTestPlugin()
  const server = await startTestServer({
    script,
    settings: {
      WAYSTATION_EGRESS_ALLOW: '127.0.0.1',
      WAYSTATION_WORKSPACES: workspaceFolder(`
        plugin "twin" {
          source = "remote://127.0.0.1:${plugin.port}"
          config { token = env("TWIN_TOKEN") }
        }
        ${agents}`),
      TWIN_TOKEN: 'a secret of the twin'
    }
  })
  await server.ctx.ports.plugins?.ready('default', 20_000)
  return { ...server, plugin }
}

test('003-18: the tools of an agent in a file run without approval if the file says so', async () => {
  const { plugin, startSession } = await startWith(
    'agent "quick" {\n tools = ["echo"]\n approval = "auto"\n}\nagent "careful" {\n tools = ["echo"]\n}',
    [
      replyCalls({ name: 'echo', input: { text: 'hi' } }),
      replyText('Done.'),
      replyCalls({ name: 'echo', input: { text: 'hi' } })
    ]
  )
  const quick = await startSession('quick')
  expect(await quick.runTurn('Go.')).toMatchObject({ outcome: 'done' })
  const careful = await startSession('careful')
  await careful.runTurn('Go.')
  expect(await careful.waitForCall('echo')).toMatchObject({ kind: 'approval' })
  // The plugin received the secret that the file names, and only by its setting.
  expect(plugin.registered[0]).toMatchObject({ config: { token: 'a secret of the twin' } })
})

test('003-18: an agent in a file has its settings, and can be external', async () => {
  const { ctx } = await startWith(`
    agent "front" {
      display_name = "Front desk"
      settings     = {
        limits  = { stepsPerTurn = 5 }
        tools   = [{ name = "wiki-search", wikis = ["garden"] }]
        plugins = [{ name = "message-management" }]
      }
    }
    agent "desk" {
      external = { inputUrl = "https://desk.example/in" }
    }`)
  expect(await getAgent(ctx, { agentId: 'front' })).toMatchObject({
    displayName: 'Front desk',
    chat: {
      limits: { stepsPerTurn: 5 },
      tools: [{ name: 'wiki-search', wikis: ['garden'] }],
      plugins: [{ name: 'message-management' }]
    }
  })
  expect(await getAgent(ctx, { agentId: 'desk' })).toMatchObject({
    type: 'external',
    external: { inputUrl: 'https://desk.example/in' }
  })
})

test('003-18: an agent that cannot be saved prevents the server from starting, and the error names it', async () => {
  const skill = { '@ag.embed': { '@ag.references': { agent: { slug: 'nobody' } } } }
  await expect(
    startWith(`agent "front" {}\n agent "gardener" { settings = ${JSON.stringify({ skills: [skill] })} }`)
  ).rejects.toThrow(/WAYSTATION_WORKSPACES: .*"gardener".*"default".*chat\.skills\.0/)
})
