import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '#scripts/setup/root.mjs'

const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8')
const svg = read('public', 'favicon.svg')
const theme = read('components', 'ui', 'theme.css')

/**
 * The product's logo in the colors of the dark theme, without a background. Its line extends above and below the 32
 * units.
 */
export const mark = `<style>${style()}</style>${svg.slice(svg.indexOf('</style>') + 8, svg.indexOf('</svg>'))}`

/**
 * Returns the CSS rules of `favicon.svg` with the dark theme's rules last, because not every renderer supports the
 * media query.
 */
function style(): string {
  const [all = '', dark = ''] = /@media[^{]*\{((?:[^{}]*\{[^{}]*\})*)\s*\}/.exec(svg) ?? []
  const rules = svg.slice(svg.indexOf('<style>') + 7, svg.indexOf('</style>'))
  return rules.replace(all, dark)
}

/** Returns a color of the dark theme, such as `colorOf('ground')`. Throws if the theme has no such color. */
export function colorOf(token: string): string {
  const color = new RegExp(`--color-${token}: light-dark\\(#\\w+, (#\\w+)\\)`).exec(theme)?.[1]
  if (color === undefined) throw new Error(`theme.css has no color "${token}".`)
  return color
}

/**
 * Returns the logo as an SVG on a tile with the dark theme's background. `margin` and `radius` are in the logo's
 * units; the logo is 32 units wide.
 */
export function tileOf({ margin, radius }: { margin: number; radius: number }): string {
  const side = 32 + 2 * margin
  const box = `x="${-margin}" y="${-margin}" width="${side}" height="${side}"`
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${-margin} ${-margin} ${side} ${side}">
    <clipPath id="tile"><rect ${box} rx="${radius}"/></clipPath>
    <g clip-path="url(#tile)"><rect ${box} fill="${colorOf('ground')}"/>${mark}</g>
  </svg>`
}
