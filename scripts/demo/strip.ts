import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The product's monospace font as a data URL, because the strip's page has no origin to load it from. */
const mono = `data:font/woff2;base64,${readFileSync(
  createRequire(import.meta.url).resolve(
    '@fontsource-variable/overpass-mono/files/overpass-mono-latin-wght-normal.woff2'
  )
).toString('base64')}`

/** A terminal line: typed after a prompt, or printed by a program. */
export type Line = { text: string; kind: 'typed' | 'output' }

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the HTML of the strip below the page: a caption and a terminal of two lines. */
export const stripOf = (caption: string, lines: Line[]): string => `<!doctype html>
<style>
  @font-face { font-family: Mono; src: url(${mono}) }
  body { margin: 0; height: 112px; background: #14161a; color: #e8e6e1; box-sizing: border-box; padding: 12px 20px;
    font: 15px/26px Mono, monospace; overflow: hidden }
  p { margin: 0; white-space: pre; text-overflow: ellipsis; overflow: hidden }
  .caption { font: 700 17px/30px Mono, monospace; color: #f0b34a }
  .typed::before { content: '$ '; color: #8a8f98 }
  .output { color: #a9adb5 }
</style>
<p class="caption">${escapeHtml(caption)}</p>
${lines.map(({ text, kind }) => `<p class="${kind}">${escapeHtml(text)}</p>`).join('\n')}`
