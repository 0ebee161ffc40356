import { parseSync } from 'oxc-parser'

/** Files with text for models, and the text of the demo model. */
const FOR_MODELS =
  /^(?:lib\/(?:agents\/catalogue|kernel\/ports\/summary-request|engine\/worker\/begin-step\/step-notes|engine\/turn\/(?:prompt|note-in-results)|features\/compaction\/summarize)|packages\/demo-model)\b/

/** Calls whose text only a model, an API document or a log contains. */
const UNSEEN_CALL = /^(?:log|describe|meta|RegExp|test)$/
const UNSEEN_KEY = /^(?:description|summary|className|prompt|instructions|sql)$/
const MESSAGE_CALL =
  /Error$|^(?:ApiError|BadSettings|OutboundError|ModelNotConfigured|ProviderRefused|invalid|notFound|unproved|refuse|refused|fail|failed|problem|min|max|regex|refine|length|string|check)$/
const MESSAGE_KEY =
  /^(?:error|message|reason|why|title|label|hint|help|note|says|words|sentence|placeholder)$/
const VISIBLE_ATTRIBUTE =
  /^(?:aria-label|title|placeholder|alt|label|hint|help|note|description|text|empty|action)$/
const WORDING_MODULE = /(?:^|[/-])(?:words|wording)\.tsx?$/

/**
 * Marks the sentences of one source file with `~`. `eachWord` marks every word instead of the start of each
 * sentence.
 *
 * @param {string} file
 * @param {string} text
 * @param {{ eachWord: boolean }} options
 * @returns {{ text: string, count: number }}
 */
export function markSentences(file, text, { eachWord }) {
  /** @type {[at: number, piece: string, marked: string][]} */
  const edits = []
  let count = 0
  if (!FOR_MODELS.test(file)) visit(parseSync(file, text).program, [])
  let marked = text
  for (const [at, piece, replacement] of edits.toSorted(([a], [b]) => b - a))
    marked = marked.slice(0, at) + replacement + marked.slice(at + piece.length)
  return { text: marked, count }

  /** @param {any} node @param {any[]} above the nodes around it, the nearest last */
  function visit(node, above) {
    const pieces = piecesOf(node, text)
    if (pieces.length > 0 && isSentence(pieces.map(piece => piece.text).join('§'), node, above, file)) {
      count++
      for (const [index, { at, text: piece }] of pieces.entries())
        edits.push([
          at,
          piece,
          eachWord ? markWords(piece) : index === 0 ? piece.replace(/^\s*/, '$&~') : piece
        ])
    }
    for (const [key, child] of Object.entries(node)) {
      if (key === 'parent' || isUnseen(node, key)) continue
      for (const next of Array.isArray(child) ? child : [child])
        if (typeof next?.type === 'string') visit(next, [...above, node])
    }
  }
}

/** Marks every word of at least two letters. Skips the letter of an escape sequence. @param {string} text */
const markWords = text => text.replace(/(?<![\\\p{L}\p{N}_./:@#&-])(?=\p{L}{2})/gu, '~')

/**
 * Returns the parts of a literal's source text, without quotes and expressions.
 *
 * @param {any} node
 * @param {string} source
 * @returns {{ at: number, text: string }[]}
 */
function piecesOf({ type, value, quasis, start, end }, source) {
  if (type === 'Literal' && typeof value === 'string')
    return [{ at: start + 1, text: source.slice(start + 1, end - 1) }]
  if (type === 'JSXText' && /\p{L}/u.test(value)) return [{ at: start, text: source.slice(start, end) }]
  if (type !== 'TemplateLiteral') return []
  // In TypeScript, a part starts at its delimiter, which other TypeScript parsers do too.
  return quasis.map((/** @type {any} */ piece) => ({ at: piece.start + 1, text: piece.value.raw }))
}

/**
 * Returns true if people read this literal as a sentence or a name.
 *
 * @param {string} words
 * @param {any} node
 * @param {any[]} above
 * @param {string} file
 */
function isSentence(words, node, above, file) {
  const parent = above.at(-1)
  if (parent?.type === 'BinaryExpression' && parent.operator !== '+') return false
  if (node.type === 'JSXText') return true
  if (!/\p{L}/u.test(words)) return false
  // The path that a form is submitted to.
  if (/^§?\/[\w§/-]*$/.test(words)) return false
  const owner = above.findLast(({ type }) =>
    /^(?:JSXAttribute|CallExpression|NewExpression|Property)$/.test(type)
  )
  if (owner?.type === 'JSXAttribute') return VISIBLE_ATTRIBUTE.test(nameOf(owner.name))
  if (/^(?:§|["“‘'(]|\p{Lu}).*\s.*[.!?…]["”’')]?$/su.test(words)) return true
  if (!/\p{L}.*\s|\s.*\p{L}/u.test(words)) return isNameOf(words, owner, file)
  if (/^(?:JSXExpressionContainer)$/.test(parent?.type) || WORDING_MODULE.test(file)) return true
  if (owner?.type === 'Property') return MESSAGE_KEY.test(nameOf(owner.key))
  return owner !== undefined && MESSAGE_CALL.test(nameOf(owner.callee))
}

/**
 * Returns true for a single word that a page shows.
 *
 * @param {string} words
 * @param {any} holder
 * @param {string} file
 */
const isNameOf = (words, holder, file) =>
  /^\p{Lu}\p{Ll}+$/u.test(words) &&
  (WORDING_MODULE.test(file) || (holder?.type === 'Property' && /^(?:label|title)$/.test(nameOf(holder.key))))

/**
 * Returns true if the child at `key` is code, a type, a module name or text that people do not read.
 *
 * @param {any} node
 * @param {string} key
 */
function isUnseen(node, key) {
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true
  if (/^(?:Import|Export\w+)Declaration$/.test(node.type)) return key === 'source' || key === 'attributes'
  if (node.type === 'ImportExpression' || node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'ExpressionStatement' && node.directive) return true
  if (node.type === 'Property') return (key === 'key' && !node.computed) || UNSEEN_KEY.test(nameOf(node.key))
  if (node.type === 'CallExpression') return key === 'arguments' && UNSEEN_CALL.test(nameOf(node.callee))
  return node.type === 'JSXAttribute' && key === 'value' && UNSEEN_KEY.test(nameOf(node.name))
}

/** Returns the last name of `a`, `a.b` or `'a'`. @param {any} node @returns {string} */
const nameOf = node => String(node?.name ?? node?.property?.name ?? node?.value ?? '')
