type End<T> = { value: T; parts: readonly string[] }
type Node<T> = { literals: Map<string, Node<T>>; any?: Node<T>; end?: End<T>; rest?: End<T> }

/** Finds the path that fits these segments, and what its parameters are in them. */
export type PathTree<T> = (
  segments: readonly string[]
) => { value: T; params: Record<string, string> } | undefined

/**
 * Matches paths such as `/api/agents/{agentId}`. `{name}` fits any one segment that is not empty, a `*` at the end fits one
 * segment or more. A literal wins over a parameter, and both win over `*`. Segments are compared as they are, so the caller
 * decides whether to decode them.
 */
export function pathTree<T>(entries: Iterable<readonly [path: string, value: T]>): PathTree<T> {
  const root = newNode<T>()
  for (const [path, value] of entries) {
    const parts = segmentsOf(path)
    const isOpen = parts.at(-1) === '*'
    let node = root
    for (const part of isOpen ? parts.slice(0, -1) : parts) node = next(node, part)
    node[isOpen ? 'rest' : 'end'] = { value, parts }
  }
  return segments => {
    const found = find(root, segments, 0)
    if (found === undefined) return undefined
    const params = found.parts.flatMap((part, at) =>
      isParameter(part) ? [[part.slice(1, -1), segments[at]] as const] : []
    )
    return { value: found.value, params: Object.fromEntries(params) as Record<string, string> }
  }
}

/** The segments of a path that begins with a slash. */
export const segmentsOf = (path: string): string[] => path.slice(1).split('/')

const isParameter = (part: string) => /^\{[^{}]+\}$/.test(part)

const newNode = <T>(): Node<T> => ({ literals: new Map() })

function next<T>(node: Node<T>, part: string): Node<T> {
  if (isParameter(part)) {
    node.any ??= newNode()
    return node.any
  }
  const known = node.literals.get(part) ?? newNode<T>()
  node.literals.set(part, known)
  return known
}

function find<T>(node: Node<T>, segments: readonly string[], at: number): End<T> | undefined {
  const segment = segments[at]
  if (segment === undefined) return node.end
  const literal = node.literals.get(segment)
  return (
    (literal && find(literal, segments, at + 1)) ??
    (node.any && segment !== '' ? find(node.any, segments, at + 1) : undefined) ??
    node.rest
  )
}
