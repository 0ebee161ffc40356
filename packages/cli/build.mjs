/** Builds dist/index.js, the program `waystation`. Run it with `npm run build`. */
import { chmodSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'esbuild'

const folder = import.meta.dirname
const { dependencies } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
rmSync(join(folder, 'dist'), { recursive: true, force: true })
await build({
  absWorkingDir: folder,
  entryPoints: ['src/index.ts'],
  outdir: 'dist',
  bundle: true,
  // `packages: 'external'` would not apply to the client, whose sources tsconfig.json names.
  external: Object.keys(dependencies),
  platform: 'node',
  format: 'esm',
  target: 'node22',
  banner: { js: '#!/usr/bin/env node' }
})
chmodSync(join(folder, 'dist', 'index.js'), 0o755)
