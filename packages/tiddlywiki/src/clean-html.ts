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
  ...['details', 'summary'],
  ...['b', 'strong', 'i', 'em', 'u', 's', 'del', 'ins', 'sub', 'sup', 'small', 'mark', 'kbd', 'abbr', 'q']
]

/** Images that are stored in the wiki itself. SVG is excluded because it can contain scripts. */
const embeddedImage = /^data:image\/(png|jpeg|gif|webp);base64,[A-Za-z0-9+/=\s]*$/

/** Returns the URL if a user can safely follow it, or undefined. */
const externalUrl = (url: string) =>
  URL.canParse(url) && /^(https?|mailto):$/.test(new URL(url).protocol) ? url : undefined

/**
 * Sanitizes HTML that TiddlyWiki rendered. Few elements and almost no attributes remain. A link to a tiddler
 * (`#title`) leads to its page under `home`, or is removed without a `home`. An external image becomes a link
 * with its alternative text, so that nothing is loaded. Headings start at the level `topHeading`, below those of the page.
 */
export const cleanHtml = (
  html: string,
  home: string | undefined,
  topHeading = home === undefined ? 2 : 3
): string =>
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
      img: ['src', 'alt', 'width'],
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
      ...headings(topHeading),
      a: (_, { href = '', class: names = '' }) => linkTag(href, names, home),
      span: (_, { class: names = '' }) =>
        tag('span', names.split(' ').includes('tc-error') ? { 'data-error': '' } : {}),
      img: (_, { src = '', alt = '', title = '', width = '' }) => imageTag(src, alt || title, width)
    }
  })

/** Shifts headings down so that the highest level is `top`, and limits them to h5. */
const headings = (top: number) =>
  Object.fromEntries([1, 2, 3, 4, 5, 6].map(level => [`h${level}`, `h${Math.min(level + top - 1, 5)}`]))

const tag = (tagName: string, attribs: Record<string, string> = {}): sanitizeHtml.Tag => ({
  tagName,
  attribs
})

const linkTo = (href: string) => tag('a', { href, target: '_blank', rel: 'noopener noreferrer nofollow' })

/** A width in pixels. The height follows from it. */
const pixels = /^([1-9]\d{0,3})(?:px)?$/

function imageTag(src: string, altText: string, wanted: string): sanitizeHtml.Tag {
  const width = pixels.exec(wanted)?.[1]
  if (embeddedImage.test(src)) return tag('img', { src, alt: altText, ...(width !== undefined && { width }) })
  const href = externalUrl(src)
  return { ...(href === undefined ? tag('span') : linkTo(href)), text: altText || 'image' }
}

function linkTag(href: string, names: string, home: string | undefined): sanitizeHtml.Tag {
  if (!href.startsWith('#')) {
    const url = externalUrl(href)
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
