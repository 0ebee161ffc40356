/** Builds dist/index.js for browsers and Node, and its type declarations. Run it with `npm run build`. */
import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
/** The repository's compiler, not the version that `openapi-typescript` needs. */
const tsc = join(folder, '..', '..', 'node_modules', 'typescript', 'bin', 'tsc')

rmSync(join(folder, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: folder,
  entryPoints: ['src/index.ts'],
  outdir: 'dist',
  bundle: true,
  packages: 'external',
  format: 'esm',
  target: 'es2022',
  sourcemap: true
})
execFileSync(process.execPath, [tsc, '-p', folder], { stdio: 'inherit' })
