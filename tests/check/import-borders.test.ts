import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** The folders that every folder above the engine can import. */
const base = 'kernel db infra'
const FEATURES =
  'alarms approvals attachments compaction connections data delegation external-agents http-tools limits models out-of-band prompts scripts secrets self-config session-tools trials unread webhooks wikis'
    .split(' ')
    .map(name => `features/${name}`)
/**
 * The import column of docs/architecture.md#folders: the other folders that each folder can import. `db` is not a
 * folder of lib.
 */
const MAY_IMPORT: Record<string, string> = {
  kernel: '',
  infra: 'kernel db',
  engine: base,
  'engine/turn': 'kernel',
  deliveries: `${base} engine`,
  agents: `${base} engine`,
  models: 'kernel',
  tools: `${base} agents engine`,
  sessions: `${base} engine agents tools deliveries models`,
  plugins: `${base} sessions engine agents tools`,
  http: 'auth kernel',
  auth: 'kernel db',
  api: `http auth kernel sessions deliveries agents plugins ${FEATURES.join(' ')}`,
  ...Object.fromEntries(
    FEATURES.map(feature => [feature, `${base} sessions engine deliveries agents tools models plugins`])
  )
}

const below = 'session/content session/store session/wording ui browser'
const pages = 'agents connections deliveries out-of-band plugins settings waiting wikis'.split(' ')
/** The same for the folders of components. `shell` can import them all. */
const COMPONENTS_MAY_IMPORT: Record<string, string> = {
  browser: '',
  ui: 'browser',
  workspace: 'ui browser',
  forms: 'ui browser',
  'session/wording': '',
  'session/store': 'session/wording browser',
  'session/content': 'session/store session/wording ui browser',
  'session/cards': below,
  'session/transcript': `session/cards ${below}`,
  'session/composer': `session/cards ${below}`,
  'session/header': `session/cards ${below}`,
  'session/inspector': `session/cards ${below}`,
  ...Object.fromEntries(
    pages.map(page => [page, 'workspace forms session/wording session/content session/cards ui browser'])
  ),
  // It shows a trial session beside the configuration.
  agents: `workspace forms session/transcript session/composer session/header session/cards ${below}`,
  shell: `${pages.join(' ')} workspace forms session ui browser`
}
const TABLES = { lib: MAY_IMPORT, components: COMPONENTS_MAY_IMPORT }
type Root = keyof typeof TABLES
const ROOTS = Object.keys(TABLES) as Root[]

/** Single cases, each with its reason. */
const CASES: [file: string, reason: string, imported: string, refused: boolean][] = [
  ['lib/kernel/x.ts', 'may name the database client', '#db/client.ts', false],
  ['lib/kernel/ctx.ts', 'may name the services of packages', '@waystation/egress', false],
  ['lib/kernel/x.ts', 'uses no package but base and protocol', '@waystation/egress', true],
  ['lib/http/x.ts', 'finds the process by the service locator', '#lib/kernel/runtime.ts', false],
  ['lib/engine/calls/x.ts', 'takes what it needs from its context', '#lib/kernel/runtime.ts', true],
  ['lib/sessions/x.ts', 'takes what it needs from its context', '#lib/kernel/runtime.ts', true],
  ['lib/agents/x.ts', 'takes what it needs from its context', '#lib/kernel/runtime.ts', true],
  ['lib/features/approvals/x.ts', 'takes what it needs from its context', '#lib/kernel/runtime.ts', true],
  ['lib/engine/turn/x.ts', 'may use the AI SDK', 'ai', false],
  ['lib/engine/turn/x.ts', 'never touches the database', 'postgres', true],
  ['lib/models/x.ts', 'never touches the database', 'drizzle-orm/postgres-js', true],
  ['packages/protocol/src/x.ts', 'runs in the browser', 'node:fs', true],
  ['packages/protocol/src/x.ts', 'imports nothing of the server', '@waystation/base/ids.ts', true],
  ['packages/protocol/src/session/x.ts', 'may name its own files', '@waystation/protocol/event.ts', false],
  ['lib/kernel/x.ts', 'may speak the protocol, like every folder', '@waystation/protocol/event.ts', false],
  ['lib/sessions/x.ts', 'knows nothing of HTTP', '#lib/http/route.ts', true],
  ['lib/sessions/x.ts', 'is below the composition root', '#lib/compose/compose.ts', true],
  ['lib/compose/compose.ts', 'is a composition root', '#lib/sessions/create.ts', false],
  ['lib/engine/turn/x.ts', 'knows no tests', '#tests/support/servers/database.ts', true],
  ['lib/engine/turn/x.test.ts', 'is a test', '#tests/support/servers/database.ts', false],
  ['lib/engine/turn/x.ts', 'stays inside its folder', '../../kernel/ids.ts', true],
  ['lib/engine/turn/x.test.ts', 'stays inside its folder', '../../kernel/ids.ts', true],
  ['lib/engine/turn/x.ts', 'may look beside itself', './y.ts', false],
  ['packages/plugin-host/src/x.ts', 'speaks gRPC', '@connectrpc/connect-node', false],
  ['packages/plugin-host/src/x.ts', 'imports nothing of the server', '#lib/tools/tool.ts', true],
  ['packages/plugin/src/x.ts', 'speaks gRPC', '@connectrpc/connect-node', false],
  ['packages/plugin/src/x.ts', 'uses the host', '@waystation/plugin-host/limits.ts', false],
  ['packages/plugin/src/x.ts', 'imports nothing of the server', '#lib/tools/tool.ts', true],
  ['packages/plugin-host/src/x.ts', 'reads no HCL', '@waystation/hcl', true],
  ['packages/server/src/x.ts', 'is for other programs', '@waystation/base/log.ts', true],
  ['packages/server/src/x.ts', 'imports nothing of the server', '#lib/tools/tool.ts', true],
  ['packages/sandbox/src/x.ts', 'speaks no gRPC', '@connectrpc/connect', true],
  ['lib/plugins/x.ts', 'runs gRPC plugins', '@waystation/plugin-host/host.ts', false],
  ['lib/sessions/x.ts', 'does not know gRPC plugins', '@waystation/plugin-host/host.ts', true],
  ['lib/plugins/x.ts', 'speaks no gRPC', '@connectrpc/connect', true],
  ['packages/egress/src/x.ts', 'speaks no gRPC', '@connectrpc/connect-node', true],
  ['packages/egress/src/x.ts', 'uses errors and the log', '@waystation/base/log.ts', false],
  ['packages/egress/src/x.ts', 'imports nothing of the server', '#lib/kernel/ctx.ts', true],
  ['packages/egress/src/x.ts', 'imports no other package', '@waystation/protocol/event.ts', true],
  ['packages/mcp-client/src/x.ts', 'sends requests', '@waystation/egress', false],
  ['packages/mcp-client/src/x.ts', 'imports nothing of the server', '#lib/kernel/ctx.ts', true],
  ['lib/features/connections/x.ts', 'calls MCP servers', '@waystation/mcp-client', false],
  ['lib/features/scripts/x.ts', 'calls no MCP servers', '@waystation/mcp-client', true],
  ['packages/sandbox/src/x.ts', 'runs MCP programs', '@waystation/mcp-client', false],
  ['packages/sandbox/src/x.ts', 'imports nothing of the server', '#lib/kernel/settings/env.ts', true],
  ['lib/compose/compose.ts', 'opens the sandbox', '@waystation/sandbox', false],
  ['lib/features/wikis/x.ts', 'runs no scripts', '@waystation/sandbox', true],
  ['lib/tools/x.ts', 'sends requests', '@waystation/egress', false],
  ['lib/engine/calls/x.ts', 'sends no requests', '@waystation/egress', true],
  ['lib/sessions/x.ts', 'speaks no gRPC', '@bufbuild/protobuf', true],
  ['scripts/x.ts', 'speaks no gRPC', '@connectrpc/connect', true],
  ['lib/api/x.ts', 'writes a page about a call', '#components/session/wording/card-heading.ts', false],
  ['lib/api/x.ts', 'runs no session', '#components/session/store/session-store.ts', true],
  ['lib/api/x.ts', 'shows no components', '#components/ui/button.tsx', true],
  ['app/page.tsx', 'may use verbs', '#lib/sessions/get.ts', false],
  ['app/page.tsx', 'speaks no SQL', '#db/client.ts', true],
  ['app/page.tsx', 'calls no model', '@ai-sdk/openai', true],
  ['app/page.tsx', 'does not turn', '#lib/engine/turn/run-turn.ts', true],
  ['components/agents/x.tsx', 'may speak the protocol', '@waystation/protocol/event.ts', false],
  ['components/agents/x.tsx', 'sends requests with the client', '@waystation/client', false],
  ['components/ui/x.tsx', 'sends no requests', '@waystation/client', true],
  ['components/agents/x.tsx', 'calls no verbs', '#lib/sessions/get.ts', true],
  ['components/agents/x.tsx', 'may use Next', 'next/link', false],
  ['components/session/transcript/parts/x.tsx', 'knows no Next', 'next/link', true],
  ['components/ui/x.tsx', 'knows no Next', 'next/link', true],
  ['components/browser/x.ts', 'knows no Next', 'next/navigation', true],
  ['components/session/x.tsx', 'arranges the parts of a session', '#components/session/header/a.tsx', false],
  ['components/session/x.tsx', 'knows no workspace', '#components/workspace/a.tsx', true],
  ['components/session/cards/widgets/x.tsx', 'is below the card', '#components/session/cards/a.tsx', true],
  ['components/session/cards/x.tsx', 'contains a widget', '#components/session/cards/widgets/a.tsx', false],
  [
    'components/session/transcript/rows/x.ts',
    'is below the parts',
    '#components/session/transcript/parts/a.tsx',
    true
  ],
  ['db/schema/x.ts', 'may name the protocol', '@waystation/protocol/event.ts', false],
  ['db/schema/x.ts', 'is below all verbs', '#lib/sessions/get.ts', true],
  ['packages/react/src/x.ts', 'may use the client', '@waystation/client', false],
  [
    'packages/react/src/x.ts',
    'takes of the house by one file only',
    '#components/session/transcript/log.tsx',
    true
  ],
  ['packages/cli/src/x.ts', 'uses the client', '@waystation/client', false],
  ['packages/cli/src/x.ts', 'imports nothing of the server', '#lib/sessions/get.ts', true],
  ['packages/client/src/x.ts', 'stands alone', '../../../lib/http/openapi.ts', true],
  ['packages/hcl/src/x.ts', 'imports nothing of the server', '../../protocol/src/event.ts', true],
  ['packages/hcl/src/x.ts', 'opens no files', 'node:fs', true],
  ['lib/plugins/workspace-files/x.ts', 'reads HCL', '@waystation/hcl', false],
  [
    'lib/plugins/workspace-files/x.ts',
    'uses what the HCL package exports',
    '#packages/hcl/src/parse.ts',
    true
  ],
  ['lib/plugins/views/x.ts', 'reads HCL', '@waystation/hcl', false],
  ['lib/engine/turn/x.ts', 'reads no HCL', '@waystation/hcl', true],
  [
    'packages/demo-model/src/x.ts',
    'uses the server through one file',
    '../../../lib/models/to-readable-stream.ts',
    true
  ],
  ['packages/demo-model/src/server.ts', 'is that file', '../../../lib/models/to-readable-stream.ts', false],
  ['packages/text-tools/src/x.ts', 'knows no providers', '#lib/models/registry.ts', true],
  ['packages/text-tools/src/x.ts', 'does not know the wire format', '@waystation/protocol/event.ts', true],
  ['packages/text-tools/src/x.ts', 'creates IDs', '@waystation/base/ids.ts', false],
  ['lib/tools/x.ts', 'counts the tokens of tools as text', '@waystation/text-tools', false],
  ['lib/tools/x.ts', 'reads the tools of the operator', '@waystation/tools', false],
  ['packages/tools/x.ts', 'does not know the server', '@waystation/base/log.ts', true],
  ['lib/engine/turn/x.ts', 'does not know how tools are written', '@waystation/text-tools', true],
  ['packages/tiddlywiki/src/x.ts', 'does not know where wikis are stored', '#db/client.ts', true],
  ['lib/kernel/x.ts', 'names the contract of TiddlyWiki', '@waystation/tiddlywiki', false],
  ['lib/features/wikis/x.ts', 'asks TiddlyWiki', '@waystation/tiddlywiki', false],
  ['lib/features/scripts/x.ts', 'reads wikis through the tools', '@waystation/tiddlywiki', true],
  ['packages/text-stream/src/x.ts', 'knows no providers', '#lib/models/registry.ts', true],
  ['lib/models/x.ts', 'streams plain text', '@waystation/text-stream', false],
  ['lib/engine/turn/x.ts', 'does not know how text is streamed', '@waystation/text-stream', true],
  ['packages/json-schemas/src/x.ts', 'does not know the caller', '#lib/kernel/ctx.ts', true],
  ['lib/kernel/x.ts', 'names the contract of schemas', '@waystation/json-schemas', false],
  ['lib/features/webhooks/x.ts', 'checks values by its context', '@waystation/json-schemas', true],
  ['lib/models/x.ts', 'offers the demo model', '@waystation/demo-model', false],
  ['lib/sessions/x.ts', 'does not know the demo model', '@waystation/demo-model', true]
]

let projectDir: string
/** "file rule" for each diagnostic about the cases above. */
let diagnostics: string[]

beforeAll(() => {
  projectDir = mkdtempSync(join(realpathSync(tmpdir()), 'waystation-borders-'))
  for (const file of ['biome.json', 'knip.json', 'package.json', 'tsconfig.json'])
    copyFileSync(file, join(projectDir, file))
  symlinkSync(resolve('node_modules'), join(projectDir, 'node_modules'))
  for (const root of ROOTS)
    for (const folder of Object.keys(TABLES[root]))
      for (const other of others(root, folder))
        write(`${root}/${folder}/uses-${fileNameOf(other)}`, importing(importPathOf(root, other)))
  for (const [index, [file, , imported]] of CASES.entries()) write(numbered(file, index), importing(imported))
  diagnostics = lint()
})
afterAll(() => rmSync(projectDir, { recursive: true }))

describe('each folder can import the folders that docs/architecture.md#folders lists for it, and no other folder of the project', () => {
  test.each(ROOTS.flatMap(root => Object.entries(TABLES[root]).map(row => [root, ...row] as const)))(
    '%s/%s can import: %s',
    (root, folder, allowed) => {
      const rejected = diagnostics.filter(line => line.startsWith(`${root}/${folder}/uses-`))
      const allows = new Set(allowed.split(' '))
      // A folder that can import another one can also import its parts.
      const forbidden = others(root, folder).filter(
        other => !allows.has(other) && !allows.has(other.split('/')[0] ?? '')
      )
      expect(rejected).toEqual(
        forbidden.map(other => `${root}/${folder}/uses-${fileNameOf(other)} noRestrictedImports`).sort()
      )
    }
  )

  test.each(CASES.map((each, index) => [...each, index] as const))('%s %s: %s refused? %s', (...each) => {
    const [file, , , isRejected, index] = each
    expect(diagnostics.includes(`${numbered(file, index)} noRestrictedImports`)).toBe(isRejected)
  })
})

test('import boundaries apply to types, re-exports and dynamic imports too', () => {
  write('lib/engine/turn/types.ts', "import type { A } from '#lib/sessions/a.ts'\nexport type B = A\n")
  write('lib/engine/turn/exports.ts', "export { a } from '#lib/sessions/a.ts'\n")
  write('lib/engine/turn/late.ts', "export const late = () => import('#lib/sessions/a.ts')\n")
  const rejected = lint('lib/engine/turn/types.ts', 'lib/engine/turn/exports.ts', 'lib/engine/turn/late.ts')
  expect(rejected).toEqual(
    ['exports', 'late', 'types'].map(name => `lib/engine/turn/${name}.ts noRestrictedImports`)
  )
})

test('an import cycle is rejected, also one that uses aliases or types', () => {
  write('lib/engine/calls/a.ts', "import { b } from '#lib/engine/inbox/b.ts'\nexport const a = () => b\n")
  write('lib/engine/inbox/b.ts', "import { c } from './c.ts'\nexport const b = () => c\n")
  write(
    'lib/engine/inbox/c.ts',
    "import type { a } from '#lib/engine/calls/a.ts'\nexport const c = (): typeof a | undefined => undefined\n"
  )
  const rejected = lint('lib/engine/calls/a.ts', 'lib/engine/inbox/b.ts', 'lib/engine/inbox/c.ts')
  expect(rejected.filter(line => line.endsWith('noImportCycles'))).toHaveLength(3)
})

test('unused code, unused packages and undeclared packages are rejected', () => {
  write('server.ts', "import { used } from '#lib/kernel/a.ts'\nimport 'not-declared'\nused()\n")
  write('lib/kernel/a.ts', 'export const used = () => undefined\nexport const unusedExport = 1\n')
  write('lib/kernel/unused-file.ts', 'export const nothing = 1\n')
  const { status, stdout } = program('knip')
  expect(status).not.toBe(0)
  for (const word of ['unusedExport', 'lib/kernel/unused-file.ts', 'graphile-worker', 'not-declared'])
    expect(stdout).toContain(word)
})

/** Returns the other folders, without those that contain this folder or are a part of it. */
const others = (root: Root, folder: string) =>
  [...Object.keys(TABLES[root]), 'db'].filter(other => !other.startsWith(folder) && !folder.startsWith(other))
const fileNameOf = (folder: string) => `${folder.replaceAll('/', '-')}.ts`
const importPathOf = (root: Root, folder: string) =>
  folder === 'db' ? '#db/schema/a.ts' : `#${root}/${folder}/a.ts`
const importing = (path: string) => `import { a } from '${path}'\n\na()\n`
/** Each case has its own file, even if several name the same one. */
const numbered = (file: string, index: number) =>
  file.replace(/\/x\./, `/x${index}.`).replace('/page.', `/p${index}.`)

/** Lints the files (default: all) and returns "file rule" for each diagnostic. */
function lint(...files: string[]) {
  const { stdout } = program(
    'biome',
    'lint',
    ...['--vcs-enabled=false', '--max-diagnostics=none', '--reporter=github'],
    ...(files.length > 0 ? files : ['.'])
  )
  const errors = stdout.matchAll(/^::error title=lint\/\w+\/(\w+),file=([^,]+)/gm)
  return [
    ...new Set([...errors].map(([, rule, file]) => `${relative(projectDir, file ?? '')} ${rule}`))
  ].sort()
}

function write(file: string, text: string) {
  mkdirSync(dirname(join(projectDir, file)), { recursive: true })
  writeFileSync(join(projectDir, file), text)
}

function program(name: string, ...args: string[]) {
  return spawnSync(resolve('node_modules', '.bin', name), args, {
    cwd: projectDir,
    encoding: 'utf8',
    maxBuffer: 64 << 20
  })
}
