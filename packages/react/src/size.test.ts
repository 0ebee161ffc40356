import { dirname } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'
import { expect, test } from 'vitest'

/** Returns a chunk and the chunks that it imports. Those that it loads later (`import()`) do not count. */
function loadedWith(chunk: string, outputs: Metafile['outputs'], loaded = new Set<string>()): Set<string> {
  if (loaded.has(chunk)) return loaded
  loaded.add(chunk)
  for (const { path, kind } of outputs[chunk]?.imports ?? [])
    if (kind === 'import-statement' && path in outputs) loadedWith(path, outputs, loaded)
  return loaded
}

test('a page with the provider and a session loads at most 120 kB of gzipped JavaScript besides React', async () => {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: "export { Session, WaystationProvider } from './index.ts'",
      resolveDir: import.meta.dirname
    },
    absWorkingDir: dirname(import.meta.dirname),
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
    external: ['react', 'react/*', 'react-dom', 'react-dom/*'],
    outdir: 'out',
    write: false,
    metafile: true
  })
  const [entry = ''] = Object.keys(metafile.outputs).filter(name => metafile.outputs[name]?.entryPoint)
  const sizes = [...loadedWith(entry, metafile.outputs)].map(name => {
    const file = outputFiles.find(({ path }) => path.endsWith(name))
    if (file === undefined) throw new Error(`esbuild did not return ${name}.`)
    return gzipSync(file.contents, { level: 9 }).length
  })
  expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(120_000)
})
