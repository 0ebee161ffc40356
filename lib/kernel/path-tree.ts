type End<T> = { value: T; parts: readonly string[] }
type Node<T> = { literals: Map<string, Node<T>>; any?: Node<T>; end?: End<T>; rest?: End<T> }

/** Finds the entry that matches these segments, and its parameters. */
export type PathTree<T> = (
  segments: readonly string[]
) => { value: T; params: Record<string, string> } | undefined

/**
 * Builds a matcher for paths such as `/api/agents/{agentId}`. `{name}` matches one non-empty segment. A `*` at the end
 * matches one or more segments. Literals have priority over parameters, and both over `*`. Segments are compared as
 * they are, so the caller decides if they are decoded.
 */
export function pathTree<T>(entries: Iterable<readonly [path: string, value: T]>): PathTree<T> {
  const root = newNode<T>()
  for (const [path, value] of entries) {
    const parts = segmentsOf(path)
    const hasWildcard = parts.at(-1) === '*'
    let node = root
    for (const part of hasWildcard ? parts.slice(0, -1) : parts) node = childFor(node, part)
    node[hasWildcard ? 'rest' : 'end'] = { value, parts }
  }
  return segments => {
    const match = find(root, segments, 0)
    if (match === undefined) return undefined
    const params = match.parts.flatMap((part, index) =>
      isParameter(part) ? [[part.slice(1, -1), segments[index]] as const] : []
    )
    return { value: match.value, params: Object.fromEntries(params) as Record<string, string> }
  }
}

/** Splits a path that starts with a slash. */
export const segmentsOf = (path: string): string[] => path.slice(1).split('/')

const isParameter = (part: string) => /^\{[^{}]+\}$/.test(part)

const newNode = <T>(): Node<T> => ({ literals: new Map() })

function childFor<T>(node: Node<T>, part: string): Node<T> {
  if (isParameter(part)) {
    node.any ??= newNode()
    return node.any
  }
  const child = node.literals.get(part) ?? newNode<T>()
  node.literals.set(part, child)
  return child
}

function find<T>(node: Node<T>, segments: readonly string[], index: number): End<T> | undefined {
  const segment = segments[index]
  if (segment === undefined) return node.end
  const literal = node.literals.get(segment)
  return (
    (literal && find(literal, segments, index + 1)) ??
    (node.any && segment !== '' ? find(node.any, segments, index + 1) : undefined) ??
    node.rest
  )
}
