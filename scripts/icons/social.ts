import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#scripts/setup/root.mjs'
import { colorOf, mark } from './mark.ts'

/** The size of the preview image in pixels. */
export const size = { width: 1200, height: 630 }

const fontFace = (family: string, file: string) => {
  const font = readFileSync(join(root, 'node_modules', '@fontsource-variable', family, 'files', file))
  return `@font-face { font-family: "${family}"; font-weight: 100 900;
    src: url("data:font/woff2;base64,${font.toString('base64')}") }`
}

/** The preview image for links to this server, as a page of 1200 × 630 pixels. */
export const social = `<!doctype html>
<style>
  ${fontFace('overpass', 'overpass-latin-wght-normal.woff2')}
  ${fontFace('source-serif-4', 'source-serif-4-latin-opsz-normal.woff2')}
  body { margin: 0; height: 630px; background: ${colorOf('ground')}; overflow: hidden }
  svg { position: absolute; left: 52px; top: 0 }
  h1, p { position: absolute; margin: 0; white-space: nowrap }
  h1 { left: 312px; top: 200px; font: 600 136px/1 overpass; letter-spacing: -0.02em; color: ${colorOf('ink')} }
  p { left: 318px; top: 356px; font: 400 54px/1.2 source-serif-4; color: ${colorOf('muted')} }
</style>
<svg width="224" height="630" viewBox="0 -22 32 90">${mark}</svg>
<h1>Waystation</h1>
<p>An agent server for agents that wait</p>`
