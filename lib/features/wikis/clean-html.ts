import sanitizeHtml from 'sanitize-html'

const tags = [
  ...[
    'h2',
    'h3',
    'h4',
    'h5',
    'p',
    'br',
    'hr',
    'blockquote',
    'cite',
    'pre',
    'code',
    'div',
    'span',
    'a',
    'img'
  ],
  ...['ul', 'ol', 'li', 'dl', 'dt', 'dd', 'table', 'caption', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'],
  ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'kbd', 'abbr', 'q']
]

/** Pictures that stand in the wiki itself; SVG can hold more than a picture. */
const ownPicture = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/

/** The address if it is one a person may be sent to, else nothing. */
const outward = (url: string) =>
  URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : undefined

/**
 * What TiddlyWiki rendered, as a page of ours may show it: only these elements, and of their attributes next to none. A link
 * to a tiddler (`#title`) leads to it under `home`, and nowhere without one; a picture from elsewhere is a link to it, named
 * by its alternative text, so that nothing is loaded. Headings begin below those of the page: on a wiki's own the tiddler's title
 * is one.
 */
export const cleanHtml = (html: string, home: string | undefined): string =>
  sanitizeHtml(html, {
    allowedTags: tags,
    nonTextTags: [
      'script',
      'style',
      'textarea',
      'option',
      'select',
      'noscript',
      'iframe',
      'object',
      'svg',
      'math'
    ],
    allowedAttributes: {
      a: ['href', 'target', 'rel', 'data-tiddler', 'data-missing'],
      img: ['src', 'alt'],
      span: ['data-missing', 'data-error'],
      th: ['colspan', 'rowspan'],
      td: ['colspan', 'rowspan'],
      ol: ['start']
    },
    allowedSchemes: ['http', 'https', 'mailto'],
    allowedSchemesByTag: { img: ['data'] },
    allowProtocolRelative: false,
    disallowedTagsMode: 'discard',
    transformTags: {
      ...headings(home === undefined ? 2 : 3),
      a: (_, { href = '', class: names = '' }) => linkOf(href, names, home),
      span: (_, { class: names = '' }) =>
        tag('span', names.split(' ').includes('tc-error') ? { 'data-error': '' } : {}),
      img: (_, { src = '', alt = '', title = '' }) => pictureOf(src, alt || title)
    }
  })

/** Each level one below the one above it, from this one on. */
const headings = (top: number) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map(level => [`h${level}`, `h${Math.min(level + top - 1, 5)}`]))

const tag = (tagName: string, attribs: Record<string, string> = {}): sanitizeHtml.Tag => ({
  tagName,
  attribs
})

const linkTo = (href: string) => tag('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' })

function pictureOf(src: string, words: string): sanitizeHtml.Tag {
  if (ownPicture.test(src)) return tag('img', { src, alt: words })
  const href = outward(src)
  return { ...(href === undefined ? tag('span') : linkTo(href)), text: words || 'image' }
}

function linkOf(href: string, names: string, home: string | undefined): sanitizeHtml.Tag {
  if (!href.startsWith('#')) {
    const url = outward(href)
    return url === undefined ? tag('span') : linkTo(url)
  }
  const title = titleIn(href.slice(1))
  if (home === undefined || title === undefined) return tag('span')
  const isMissing = names.split(' ').includes('tc-tiddlylink-missing')
  const address = `${home}?tiddler=${encodeURIComponent(title)}`
  return tag('a', { href: address, 'data-tiddler': title, ...(isMissing ? { 'data-missing': '' } : {}) })
}

function titleIn(encoded: string): string | undefined {
  try {
    return decodeURIComponent(encoded).toWellFormed()
  } catch {
    return undefined
  }
}
