/**
 * Builds dist/index.js, its type declarations, style.css, and the licenses of bundled packages. The bundle
 * contains the playground's components and the part of zod that they use: its settings are global, and the
 * components change one (no-eval.ts). All other packages are dependencies, so that a product has each only once.
 * Run it with `npm run build`.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'
import { makeStyle } from './style.mjs'

const folder = import.meta.dirname
const root = join(folder, '..', '..')
const dist = join(folder, 'dist')
rmSync(dist, { recursive: true, force: true })

const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const external = Object.keys({ ...dependencies, ...peerDependencies })

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: [join(folder, 'src', 'index.ts')],
  outfile: join(dist, 'index.js'),
  bundle: true,
  external: [...external, ...external.map(name => `${name}/*`)],
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  define: { 'process.env.NODE_ENV': '"production"' },
  minify: true,
  banner: { js: "'use client'" },
  legalComments: 'none',
  sourcemap: true,
  logLevel: 'error',
  metafile: true
})
const sources = Object.keys(metafile.inputs)
const ours = sources.filter(path => !path.includes('node_modules/'))
const text = ours.map(path => readFileSync(join(root, path), 'utf8')).join('\n')
writeFileSync(join(dist, 'style.css'), await makeStyle(root, text))

// Keep only the public declarations. They refer only to each other, React and the client.
execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
  stdio: 'inherit'
})
for (const file of ['index.d.ts', 'types.d.ts'])
  cpSync(join(dist, 'types', 'packages', 'react', 'src', file), join(dist, file))
rmSync(join(dist, 'types'), { recursive: true })

const packages = new Set(sources.flatMap(path => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []))
writeFileSync(
  join(dist, 'THIRD-PARTY.txt'),
  [...packages, 'node_modules/tailwindcss'].sort().map(licenceOf).join('\n\n')
)

/**
 * Returns the name, version and license text of a bundled package.
 *
 * @param {string} path folder of the package
 */
function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  const file = readdirSync(join(root, path)).find(name => /^licen[cs]e/i.test(name))
  const words = file === undefined ? '' : readFileSync(join(root, path, file), 'utf8').trim()
  return `${name} ${version} (${license})\n${words}`
}
