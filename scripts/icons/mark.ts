import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#scripts/setup/root.mjs'

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const svg = read('public', 'favicon.svg')
const theme = read('components', 'session', 'theme.css')

/** The product's mark in the colors of the dark theme, without a background. Its rail runs on above and below the 32 units. */
export const mark = `<style>${style()}</style>${svg.slice(svg.indexOf('</style>') + 8, svg.indexOf('</svg>'))}`

/** The rules of `favicon.svg`, with those of the dark theme last: not every renderer knows the media query. */
function style(): string {
  const [all = '', dark = ''] = /@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/.exec(svg) ?? []
  const rules = svg.slice(svg.indexOf('<style>') + 7, svg.indexOf('</style>'))
  return rules.replace(all, dark)
}

/** A color of the dark theme: `colorOf('ground')`. */
export function colorOf(token: string): string {
  const color = new RegExp(`--color-${token}: light-dark\\(#\\w+, (#\\w+)\\)`).exec(theme)?.[1]
  if (color === undefined) throw new Error(`theme.css has no color "${token}".`)
  return color
}

/** The mark on a tile of the dark theme's ground. `margin` and `radius`: in the mark's units, of which it is 32 wide. */
export function tileOf({ margin, radius }: { margin: number; radius: number }): string {
  const side = 32 + 2 * margin
  const box = `x="${-margin}" y="${-margin}" width="${side}" height="${side}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${side} ${side}">
    <clipPath id="tile"><rect ${box} rx="${radius}"/></clipPath>
    <g clip-path="url(#tile)"><rect ${box} fill="${colorOf('ground')}"/>${mark}</g>
  </svg>`
}
