import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { expect, test } from 'vitest'

test('the provider and a session are at most 120 kB of gzipped JavaScript besides React', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { Session, WaystationProvider } from './index.ts'",
      resolveDir: import.meta.dirname
    },
    bundle: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react/*', 'react-dom', 'react-dom/*'],
    write: false
  })
  const [{ contents } = { contents: '' }] = outputFiles
  expect(gzipSync(contents, { level: 9 }).length).toBeLessThanOrEqual(120_000)
})
