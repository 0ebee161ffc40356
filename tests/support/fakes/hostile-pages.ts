const size = 2 * 1024 * 1024
const fill = (text: string) => text.repeat(Math.ceil(size / text.length))

/** Pages of 2 MiB that a careless parser needs very long for, each with the reason. */
export const hostilePages = (): [title: string, html: string][] => [
  ['nothing but opening tags', fill('<div>')],
  ['text at every depth', fill('<div>x')],
  ['misnested tags', fill('<b><i><p><table><tr><td>')],
  ['half opened, half closed by others', '<a><b>'.repeat(size / 12) + '</x>'.repeat(size / 8)],
  ['nothing but menus', fill('<nav><main>')],
  ['comments never closed', fill('<!--')],
  ['half entities', fill('&am')],
  ['a script that almost ends', `<script>${fill('</scrip')}`],
  ['two hundred thousand attributes', `<p ${fill('a="1" ')}>`],
  ['one endless name', `<${fill('a')}`],
  ['white space', `a${fill(' \n\t')}b`],
  ['empty lines', `<pre>${fill(' \n')}`],
  ['list items', fill('<li>')],
  ['headings', fill('<h1>a')],
  ['a million lines', `<pre>${fill('a\n')}`]
]
