import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

type Value = { stringValue?: string; intValue?: string | number; doubleValue?: number; boolValue?: boolean }
type Attributes = { key: string; value: Value }[]
type Wire = Omit<Span, 'attributes' | 'links' | 'start' | 'end'> & {
  startTimeUnixNano: string
  endTimeUnixNano: string
  attributes: Attributes
  links?: { traceId: string; spanId: string }[]
}

/** A span as a collector receives it (OTLP 1.x, JSON), with times in milliseconds. */
export type Span = {
  name: string
  traceId: string
  spanId: string
  parentSpanId?: string
  start: number
  end: number
  attributes: Record<string, unknown>
  links: { traceId: string; spanId: string }[]
  status: { code?: number; message?: string }
}

/** Starts an OpenTelemetry collector that receives traces over HTTP and exposes them. */
export async function startCollector() {
  const spans: Span[] = []
  const resources: Record<string, unknown>[] = []
  let raw = ''
  const server = createServer(async (request, response) => {
    const body = (await json(request)) as {
      resourceSpans: { resource: { attributes: Attributes }; scopeSpans: { spans: Wire[] }[] }[]
    }
    raw += JSON.stringify(body)
    for (const { resource, scopeSpans } of body.resourceSpans) {
      resources.push(toObject(resource.attributes))
      for (const span of scopeSpans.flatMap(scope => scope.spans)) spans.push(toSpan(span))
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    resources,
    /** Returns the text of all received requests. */
    raw: () => raw,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise(done => server.close(done))
    }
  }
}

const toSpan = ({ startTimeUnixNano, endTimeUnixNano, attributes, links = [], ...span }: Wire): Span => ({
  ...span,
  start: Number(BigInt(startTimeUnixNano) / 1_000_000n),
  end: Number(BigInt(endTimeUnixNano) / 1_000_000n),
  attributes: toObject(attributes),
  links
})

const toObject = (attributes: Attributes) =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]))
