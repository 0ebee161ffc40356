/**
 * Builds dist/index.js for any runtime with Fetch, dist/node.js for Node, and their type declarations. Run it with
 * `npm run build`. With `--code`, it writes no declarations, which takes less than a second.
 */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const tsc = join(folder, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')
const codeOnly = process.argv.includes('--code')

if (!codeOnly) rmSync(join(folder, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: folder,
  entryPoints: ['src/index.ts', 'src/node.ts'],
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  platform: 'neutral',
  external: ['node:*'],
  format: 'esm',
  target: 'es2022',
  sourcemap: true
})
if (!codeOnly) execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
