/** One item between two nodes of a workflow. */
type Item = Readonly<Record<string, unknown>>
type Named = { name: string; value: string }
type Node = {
  name: string
  type: string
  parameters: {
    httpMethod?: string
    path?: string
    assignments?: { assignments: Named[] }
    method?: string
    url?: string
    headerParameters?: { parameters: Named[] }
    rawContentType?: string
    body?: string
  }
}
export type Workflow = {
  nodes: Node[]
  connections: Record<string, { main: { node: string }[][] }>
}
/** A request that the webhook node receives. */
export type Received = { method: string; path: string; headers: Record<string, unknown>; body: unknown }

/**
 * Follows the nodes of our n8n example workflow, from its webhook on, as n8n's documentation describes them. It is
 * not n8n: it supports webhook, set and HTTP request nodes, and only paths as expressions. Throws for everything
 * else, and for a path without a value: n8n would continue with an empty value, and no error would show.
 */
export async function followWorkflow({ nodes, connections }: Workflow, received: Received): Promise<void> {
  const nodesByName = new Map(nodes.map(node => [node.name, node]))
  const items = new Map<string, Item>()
  let node = nodes.find(
    ({ type, parameters }) =>
      type === 'n8n-nodes-base.webhook' &&
      parameters.httpMethod === received.method &&
      received.path === `/webhook/${parameters.path}`
  )
  let item: Item = { headers: received.headers, body: received.body }
  if (node === undefined) throw new Error(`No webhook takes ${received.method} ${received.path}.`)
  while (node !== undefined) {
    item = await run(node, item, items)
    items.set(node.name, item)
    const next: string | undefined = connections[node.name]?.main[0]?.[0]?.node
    node = next === undefined ? undefined : nodesByName.get(next)
    if (next !== undefined && node === undefined) throw new Error(`There is no node ${next}.`)
  }
}

async function run({ type, parameters }: Node, item: Item, items: ReadonlyMap<string, Item>): Promise<Item> {
  const value = (text = '') => evaluate(text, item, items)
  const values = (fields: Named[] = []) =>
    Object.fromEntries(fields.map(field => [field.name, value(field.value)]))
  switch (type) {
    case 'n8n-nodes-base.webhook':
      return item
    case 'n8n-nodes-base.set':
      return values(parameters.assignments?.assignments)
    case 'n8n-nodes-base.httpRequest': {
      const { method = 'GET', url, headerParameters, rawContentType = '', body } = parameters
      const headers = { ...values(headerParameters?.parameters), 'content-type': rawContentType }
      const response = await fetch(value(url), { method, headers, body: value(body) })
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return { data: await response.text() }
    }
    default:
      throw new Error(`What ${type} does is not known here.`)
  }
}

/** Returns a parameter's value. A value that starts with `=` has expressions in double braces. */
const evaluate = (text: string, item: Item, items: ReadonlyMap<string, Item>): string =>
  text.startsWith('=')
    ? text
        .slice(1)
        .replace(/\{\{(.+?)\}\}/g, (_, expression: string) => resolvePath(expression.trim(), item, items))
    : text

function resolvePath(expression: string, item: Item, items: ReadonlyMap<string, Item>): string {
  const match = /^(?:\$json|\$\('([^']+)'\)\.item\.json)((?:\.\w+|\['[^']+'\])*)$/.exec(expression)
  if (match === null) throw new Error(`${expression} is not a path.`)
  const [, from, path = ''] = match
  const keys = [...path.matchAll(/\.(\w+)|\['([^']+)'\]/g)].map(([, plain, quoted]) => plain ?? quoted ?? '')
  let value: unknown = from === undefined ? item : items.get(from)
  for (const key of keys) value = (value as Item | undefined)?.[key]
  if (typeof value !== 'string') throw new Error(`${expression} leads to no text.`)
  return value
}
