/**
 * Builds dist/index.js, dist/testing.js and their type declarations. The bundles contain the parts of the plugin host
 * that they use. Run it with `npm run build`. With `--code`, it writes no declarations, which takes less than a second.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const root = join(folder, '..', '..')
const dist = join(folder, 'dist')
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
const external = Object.keys(dependencies)

const { metafile } = await build({
  absWorkingDir: root,
  entryPoints: ['index', 'testing'].map(name => join(folder, 'src', `${name}.ts`)),
  outdir: dist,
  bundle: true,
  external: [...external, ...external.map(name => `${name}/*`)],
  platform: 'node',
  format: 'esm',
  target: 'node22',
  metafile: true
})
const bundled = Object.keys(metafile.inputs).flatMap(path => /^node_modules\/[^/]+/.exec(path)?.[0] ?? [])
writeFileSync(join(dist, 'THIRD-PARTY.txt'), [...new Set(bundled)].map(licenceOf).join('\n\n'))

if (!process.argv.includes('--code')) {
  for (const file of readdirSync(dist)) if (file.endsWith('.d.ts')) rmSync(join(dist, file))
  const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
  // Keep the public declarations. They refer only to each other and to the dependencies.
  const types = join(dist, 'types', 'packages', 'plugin', 'src')
  for (const file of readdirSync(types))
    if (!/'(@waystation\/|\.\.\/)/.test(readFileSync(join(types, file), 'utf8')))
      cpSync(join(types, file), join(dist, file))
  rmSync(join(dist, 'types'), { recursive: true })
}

/** @param {string} path folder of a bundled package */
function licenceOf(path) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8'))
  return `${name} ${version} (${license})\n${readFileSync(join(root, path, 'LICENSE'), 'utf8').trim()}`
}
