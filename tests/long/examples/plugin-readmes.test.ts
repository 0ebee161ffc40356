import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readWorkspaces } from '#lib/plugins/workspace-files/read-workspace.ts'
import { startTestServer } from '#tests/support/servers/test-server.ts'
import { workspaceFolder } from '#tests/support/servers/workspace-folder.ts'

const readme = (example: string) => readFileSync(`examples/plugins/${example}/README.md`, 'utf8')
const files = (example: string) =>
  [...readme(example).matchAll(/```hcl\n([\s\S]*?)```/g)].map(([, text]) => text ?? '')

test.each([
  ['guard-typescript', 9012],
  ['model-typescript', 9013],
  ['hello-view-python', 9011],
  ['dice-go', 9014]
] as const)(
  '003-18: the workspaces in the README of %s are valid, both as a program and at the port that it listens on',
  (example, port) => {
    const [local, remote, ...others] = files(example).map(text => readWorkspaces(text))
    expect(others).toEqual([])
    expect(local).toMatchObject([{ name: 'default', plugins: [{ source: { kind: 'local' } }] }])
    expect(remote).toMatchObject([
      { name: 'default', plugins: [{ source: { kind: 'remote', host: '127.0.0.1', port } }] }
    ])
  }
)

test.each([
  ['guard-typescript', 'guard'],
  ['model-typescript', 'model']
])(
  "003-18: the program of %s is started as its README says, by the node that the workspace's env names",
  async (example, name) => {
    const [local = ''] = files(example)
    const blocks = local.slice(local.indexOf('{') + 1, local.lastIndexOf('}'))
    const server = await startTestServer({
      settings: {
        WAYSTATION_PLUGIN_FOLDER: resolve('examples/plugins'),
        WAYSTATION_WORKSPACES: workspaceFolder(
          `${blocks}\n  env { PATH = "${dirname(process.execPath)}:/usr/bin:/bin" }`
        )
      }
    })
    await server.ctx.ports.plugins?.ready('default', 20_000)
    expect(server.ctx.ports.plugins?.list('default')).toMatchObject([{ name, state: { kind: 'serving' } }])
  }
)
