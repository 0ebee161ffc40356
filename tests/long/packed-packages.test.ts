import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, expect, test } from 'vitest'

const run = promisify(execFile)
const names = ['client', 'react', 'plugin', 'server']
/** The packages that npm would install as well: dependencies and peers. */
const dependencies = [
  'react',
  'react-dom',
  '@types/react',
  '@types/react-dom',
  'csstype',
  'eventsource-parser',
  '@bufbuild/protobuf',
  '@connectrpc/connect',
  '@connectrpc/connect-node',
  '@tanstack/query-core',
  '@tanstack/react-query',
  '@tanstack/react-virtual',
  'clsx',
  'character-entities',
  'decode-named-character-reference',
  'diff',
  'marked',
  'remend',
  '@standard-schema/spec',
  'zod',
  '@types/node',
  'undici-types'
]
const pages = {
  client: 'packages/client/README.md',
  react: 'packages/react/README.md',
  plugin: 'packages/plugin/README.md',
  'plugins-grpc': 'docs/plugins-grpc.md',
  server: 'packages/server/README.md',
  'http-tools': 'docs/http-tools.md',
  docs: 'docs/clients.md'
}

/** A project of a user of the packages: the packages as npm packs them, and every code block of our pages. */
let project: string
let snippets: string[]

beforeAll(async () => {
  project = await mkdtemp(join(tmpdir(), 'waystation-consumer-'))
  for (const name of names) {
    await run(process.execPath, [`packages/${name}/build.mjs`])
    const pack = ['pack', '--json', '--ignore-scripts', '--pack-destination', project]
    const { stdout } = await run('npm', pack, { cwd: `packages/${name}` })
    const [packed] = Object.values(JSON.parse(stdout)) as { filename: string }[]
    const folder = join(project, 'node_modules', '@waystation', name)
    await mkdir(folder, { recursive: true })
    await run('tar', ['-xzf', join(project, packed!.filename), '--strip-components=1', '-C', folder])
  }
  for (const name of dependencies) {
    await mkdir(dirname(join(project, 'node_modules', name)), { recursive: true })
    await symlink(join(process.cwd(), 'node_modules', name), join(project, 'node_modules', name))
  }
  snippets = []
  for (const [name, page] of Object.entries(pages)) {
    const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```(tsx?)\n(.*?)^```$/gms)]
    expect(blocks.length, page).toBeGreaterThan(0)
    for (const [index, [, extension, code = '']] of blocks.entries()) {
      const file = `${name}-${index}.${extension}`
      await writeFile(join(project, file), code)
      snippets.push(file)
    }
  }
  await writeFile(join(project, 'package.json'), '{ "type": "module" }')
  await writeFile(join(project, 'style.d.ts'), "declare module '@waystation/react/style.css'")
}, 300_000)
afterAll(() => rm(project, { recursive: true, force: true }))

test('a package contains its dist, licence and README, and its code imports nothing from this repository', async () => {
  for (const name of names) {
    const folder = join(project, 'node_modules', '@waystation', name)
    const { stdout } = await run('find', ['.', '-type', 'f'], { cwd: folder })
    const files = stdout.trim().split('\n')
    expect(files.filter(file => !file.startsWith('./dist/')).sort()).toEqual([
      './LICENSE',
      './README.md',
      './package.json'
    ])
    for (const file of files.filter(file => /\.(js|d\.ts)$/.test(file))) {
      const text = await readFile(join(folder, file), 'utf8')
      expect(text.match(/from\s*['"](#|\.\.\/)[^'"]*['"]/)?.[0], file).toBeUndefined()
    }
  }
})

for (const [compiler, script, moduleResolution] of [
  ['TypeScript 5', 'packages/client/node_modules/typescript/bin/tsc', 'nodenext'],
  ['the newest TypeScript', 'node_modules/typescript/bin/tsc', 'nodenext'],
  ['the newest TypeScript', 'node_modules/typescript/bin/tsc', 'bundler']
] as const)
  test(`the code of our pages is typed by the packed packages alone: ${compiler}, ${moduleResolution}`, async () => {
    const compilerOptions = {
      strict: true,
      noEmit: true,
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
      module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution,
      jsx: 'react-jsx',
      types: ['node']
    }
    const wrong = `import { createClient } from '@waystation/client'
        // @ts-expect-error: there is no such scope of what happens while the agent works
        createClient({ url: '' }).session('a').send('hi', { whenBusy: 'sometimes' })`
    await writeFile(join(project, 'wrong.ts'), wrong)
    await writeFile(
      join(project, 'tsconfig.json'),
      JSON.stringify({ compilerOptions, files: ['style.d.ts', 'wrong.ts', ...snippets] })
    )
    const { stdout } = await run(process.execPath, [join(process.cwd(), script), '-p', project]).catch(
      error => error
    )
    expect(stdout).toBe('')
  }, 180_000)

test('a bundler builds a page from the packages, with one stylesheet whose rules all apply under .waystation', async () => {
  const { outputFiles, warnings } = await build({
    absWorkingDir: project,
    entryPoints: snippets.filter(file => file.endsWith('.tsx')),
    bundle: true,
    write: false,
    outdir: 'out',
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' }
  })
  expect(warnings).toEqual([])
  const css = outputFiles.find(({ path }) => path.endsWith('.css'))?.text ?? ''
  const plain = css.replace(/\/\*.*?\*\//gs, '')
  const selectors = [...plain.matchAll(/(?:^|[{};])\s*([^{};@]+?)\s*\{/g)].map(
    ([, selector]) => selector ?? ''
  )
  expect(selectors.length).toBeGreaterThan(200)
  const global = selectors.filter(selector => !/^(\.waystation\b|from$|to$|[\d.]+%)/.test(selector))
  // Tailwind's fallback for browsers without `@property` sets only `--tw-…`.
  expect(global.filter(selector => !/^\*/.test(selector))).toEqual([])
})

test('the packed client runs in Node', async () => {
  const code = `import { createClient, WaystationError } from '@waystation/client'
    const refused = createClient({ url: 'http://127.0.0.1:9', backoff: { first: 1, longest: 1 } }).session('a').get()
    refused.catch(error => console.log(error instanceof WaystationError, error.code, error.status))`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: project })
  expect(stdout.trim()).toBe('true UNREACHABLE 0')
})

test('the packed plugin package runs and tests a plugin in Node', async () => {
  const code = `import { plugin } from '@waystation/plugin'
    import { testPlugin } from '@waystation/plugin/testing'
    const tools = { echo: { description: 'Returns its input.', run: args => args } }
    const echo = plugin({ name: 'echo', version: '1.0.0', description: 'Returns its input.', tools })
    const host = await testPlugin(echo)
    console.log(JSON.stringify(await host.callTool('echo', { a: 1 })))
    await host.stop()`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: project })
  expect(stdout.trim()).toBe('{"ok":true,"result":{"a":1}}')
})

test('the packed server package runs a tool in Node', async () => {
  const code = `import { createServer } from 'node:http'
    import { tool } from '@waystation/server'
    import { nodeListener } from '@waystation/server/node'
    import { z } from 'zod'
    const echo = tool({ name: 'echo', inputSchema: z.object({}), secret: false, execute: input => input })
    const server = createServer(nodeListener(echo)).listen(0, async () => {
      const { name } = await (await fetch(\`http://127.0.0.1:\${server.address().port}/\`)).json()
      console.log(name)
      server.closeAllConnections()
      server.close()
    })`
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', code], { cwd: project })
  expect(stdout.trim()).toBe('echo')
})
