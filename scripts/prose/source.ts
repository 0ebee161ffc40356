import { parseSync } from 'oxc-parser'
import { type Block, type Kind, placeholder, withoutQuotes } from './block.ts'

type Node = { type: string; start: number; end: number; [key: string]: unknown }

/** Files with text for models: instructions, and descriptions of tools and their arguments. */
const forModels =
  /^lib\/(?:tools|agents\/catalogue|kernel\/ports\/summary-request|engine\/worker\/begin-step\/step-notes|engine\/turn\/(?:prompt|note-in-results)|features\/compaction\/summarize)\b/
const testCall = /^(?:test|it|describe|each)$/

/**
 * Returns the comments, test titles and texts of a TypeScript file. A text is a literal of three words or more.
 * SQL, class names, types and module names are skipped, and so is a literal or comment after `// prose-ignore:
 * reason`.
 */
export function sourceBlocks(file: string, source: string): Block[] {
  const { program, comments } = parseSync(file, source)
  const lineAt = (offset: number) => source.slice(0, offset).split('\n').length
  const ignored = new Set(
    comments.filter(({ value }) => /^\s*prose-ignore: \S/.test(value)).map(({ end }) => lineAt(end) + 1)
  )
  const blocks: Block[] = []
  const add = (kind: Kind, text: string, start: number) => {
    if (!ignored.has(lineAt(start)))
      blocks.push({ kind, text: withoutQuotes(text), lineAt: offset => lineAt(start + offset) })
  }
  for (const run of runsOf(comments, source)) add('comment', run.text, run.start)
  visit(program as unknown as Node, [])
  return blocks

  function visit(node: Node, above: Node[]): void {
    const text = textOf(node, source)
    if (text !== undefined && isText(text)) {
      const kind = /\.test\.tsx?$/.test(file)
        ? isTitle(node, above.at(-1))
          ? 'title'
          : undefined
        : forModels.test(file) || isDescription(above)
          ? 'model'
          : 'text'
      if (kind !== undefined) add(kind, text, node.start + (node.type === 'JSXText' ? 0 : 1))
    }
    for (const [key, child] of Object.entries(node)) {
      if (isCode(node, key)) continue
      for (const next of Array.isArray(child) ? child : [child])
        if (typeof next?.type === 'string') visit(next, [...above, node])
    }
  }
}

type Comment = { type: string; value: string; start: number; end: number }

/**
 * Merges consecutive line comments and removes the comment markers. Each text keeps its length, so that line
 * numbers stay correct.
 */
function runsOf(comments: Comment[], source: string): { text: string; start: number }[] {
  const runs: { text: string; start: number; end: number; line: boolean }[] = []
  for (const { type, value, start, end } of comments) {
    if (/^\s*(?:biome-ignore|prose-ignore|@ts-|eslint)|^[/#]/.test(value)) continue
    const text = `  ${withoutTags(value)}`
    const last = runs.at(-1)
    if (type === 'Line' && last?.line && /^\s*$/.test(source.slice(last.end, start))) {
      last.text += source.slice(last.end, start) + text
      last.end = end
    } else runs.push({ text, start, end, line: type === 'Line' })
  }
  return runs
}

/** Blanks stars, tags such as `@param {string} name` and code. */
const withoutTags = (comment: string): string =>
  comment
    .replace(/^(\s*)\*+/gm, (all, space) => space.padEnd(all.length))
    .replace(/`[^`]*`|https?:\S+/g, code => placeholder.padEnd(code.length))
    .replace(/\{@link ([^}]+)\}/g, link => placeholder.padEnd(link.length))
    .replace(/@\w+(?: \{[^}]*\})?(?: [\w.[\]=]+)?/g, tag => '.'.padStart(tag.length))

/** Returns the text of a literal, with a placeholder for each expression in it, or undefined for other nodes. */
function textOf(node: Node, source: string): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string')
    return source.slice(node.start + 1, node.end - 1)
  if (node.type === 'JSXText') return source.slice(node.start, node.end)
  if (node.type !== 'TemplateLiteral') return undefined
  return source
    .slice(node.start + 1, node.end - 1)
    .replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, code => placeholder.padEnd(code.length))
}

/** Returns true for at least three words that are no SQL, code or pattern. */
const isText = (text: string): boolean =>
  /\p{L}{2,}[\p{L}'’,]*\s+[\p{L}'’]+[,:]?\s+\p{L}+/u.test(text) &&
  !/^\s*(?:select|insert|update|delete|with|create|alter|drop|begin|set|lock|notify|listen|grant|revoke)\b[^.!?]*$/i.test(
    text
  ) &&
  !/[{}<>=]{1}.*[{}<>=;]|\\b|\(\?/.test(text)

const nameOf = (node: unknown): string => {
  const { name, property, value, callee, object } = (node ?? {}) as Record<string, { name?: string } & string>
  return String(
    name ?? property?.name ?? value ?? (callee && nameOf(callee)) ?? (object && nameOf(object)) ?? ''
  )
}

const isTitle = (node: Node, parent: Node | undefined): boolean =>
  parent?.type === 'CallExpression' &&
  (parent.arguments as Node[])[0] === node &&
  testCall.test(nameOf((parent.callee as Node).callee ?? parent.callee))

/** `description: '…'` and `.describe('…')`. */
const isDescription = (above: Node[]): boolean =>
  above.some(
    node =>
      (node.type === 'Property' && /^(?:description|prompt|instructions)$/.test(nameOf(node.key))) ||
      (node.type === 'CallExpression' && nameOf(node.callee) === 'describe')
  )

/** Returns true if the child at `key` is code, a type, a class name or a module name. */
function isCode(node: Node, key: string): boolean {
  if (/^TS(?!AsExpression|SatisfiesExpression|NonNullExpression)/.test(node.type)) return true
  if (/^(?:Import|Export\w+)Declaration$/.test(node.type)) return key === 'source' || key === 'attributes'
  if (node.type === 'ImportExpression' || node.type === 'TaggedTemplateExpression') return true
  if (node.type === 'ExpressionStatement' && node.directive) return true
  if (node.type === 'Property') return key === 'key' || /^(?:className|sql)$/.test(nameOf(node.key))
  return node.type === 'JSXAttribute' && (key === 'name' || nameOf(node.name) === 'className')
}
