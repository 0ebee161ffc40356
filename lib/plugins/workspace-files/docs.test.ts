import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { readView } from '#lib/plugins/views/read-view.ts'
import { readManifest } from './read-manifest.ts'
import { readWorkspaces } from './read-workspace.ts'

const page = await readFile('docs/hcl.md', 'utf8')
const [workspace = '', agent = '', manifest = '', view = ''] = [
  ...page.matchAll(/^```hcl\n(.*?)^```$/gms)
].map(([, text]) => text)

test('003-5, 003-12: the examples in docs/hcl.md are parsed as the page describes', () => {
  expect(readWorkspaces(workspace)).toMatchObject([
    {
      name: 'support',
      plugins: [
        {
          name: 'weather',
          source: { kind: 'remote', host: 'localhost', port: 9010, tls: false },
          config: { unit: 'celsius', retries: '3', greeting: 'Hello from EU-WEST' },
          failClosed: false
        },
        { name: 'guard', source: { kind: 'local', path: 'guard' }, failClosed: true }
      ],
      agents: [
        {
          name: 'triage',
          instructions: 'Find out what they need,\nand hand over to who can do it.\n',
          handoffs: ['billing']
        },
        { name: 'billing' }
      ],
      defaultAgent: 'triage'
    }
  ])
  expect(readWorkspaces(`workspace "w" {\n${agent}}`)[0]?.agents).toMatchObject([
    { name: 'gardener', approval: 'auto', settings: { limits: { stepsPerTurn: 5 } } }
  ])
  expect(readManifest(manifest).manifest.fields.map(({ name, uiType }) => `${name}: ${uiType}`)).toEqual([
    'api_key_env: text',
    'unit: select',
    'retries: number',
    'place: select'
  ])
  expect(readView(view)).toMatchObject([
    {
      name: 'board',
      children: [
        { name: 'numbers', blocks: [{ labels: ['open'] }, { labels: ['done'] }] },
        { name: 'add', type: 'form', blocks: [{ type: 'field', attributes: { label: 'Title' } }] }
      ]
    }
  ])
})

test('003-5, 003-12: the examples in docs/plugins-grpc.md are parsed as the page describes', async () => {
  const guide = await readFile('docs/plugins-grpc.md', 'utf8')
  const examples = [...guide.matchAll(/^```hcl\n(.*?)^```$/gms)].map(([, text = '']) => text)
  const exampleWith = (text: string) => examples.find(example => example.includes(text)) ?? ''
  const secure = exampleWith('client_certificate')
  const sandboxed = exampleWith('sandbox ')
  const manifest = exampleWith('ui_type')
  const view = exampleWith('component "')
  expect(readWorkspaces(secure)[0]?.plugins[0]?.tls).toEqual({
    ca: { path: 'certificates/ca.pem' },
    pin: expect.stringMatching(/^5e88[0-9a-f]{60}$/),
    clientCertificate: { path: 'certificates/waystation.pem' },
    clientKey: { path: 'certificates/waystation.key' }
  })
  expect(readWorkspaces(`workspace "default" {\n${sandboxed}}`)[0]?.plugins).toMatchObject([
    { name: 'weather', sandbox: true }
  ])
  expect(readManifest(manifest).manifest.fields.map(({ name, uiType }) => `${name}: ${uiType}`)).toEqual([
    'api_key_env: text',
    'unit: radio',
    'city: select'
  ])
  expect(readView(view)).toMatchObject([
    { type: 'text', attributes: { content: 'Tasks', style: 'heading' } },
    { type: 'form', attributes: { action: '/api/tasks' }, blocks: [{ type: 'field', labels: ['task'] }] }
  ])
})
