import { setTimeout as pause } from 'node:timers/promises'
import { OpenTelemetry, OpenTelemetryIdGenerator } from '@ai-sdk/otel'
import {
  type Attributes,
  context,
  DiagLogLevel,
  diag,
  type Link,
  ROOT_CONTEXT,
  type Span,
  type SpanContext,
  SpanStatusCode,
  trace
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { registerTelemetry } from 'ai'
import { log } from '#lib/kernel/log.ts'
import type { AnsweredCall, Observer } from '#lib/kernel/ports/observer.ts'
import { samplerByTrace } from './sampler.ts'
import { placeOfTurn, placeOfWait } from './trace-ids.ts'
import { withoutWords } from './without-words.ts'

/** A collector that does not take the last spans by then does not get them. Milliseconds. */
const stopMs = 2_000

/** Who writes traces: an observer, and its end. */
export type Tracer = { observer: Pick<Observer, 'turn' | 'turnEnded' | 'callSettled'>; stop(): Promise<void> }

/**
 * Writes traces to the collector that the `OTEL_*` variables name: turn → step → model call and tools, and for each
 * call of somebody else the wait. A turn is one trace (`trace-ids.ts`); its root is written by whoever ends it, with the
 * database's times, so it is whole whatever died meanwhile. Loaded only when a collector is named.
 *
 * Nothing is registered as the global tracer: Next would then write down the addresses of requests, with the
 * capabilities that stand in them. The context manager is global, because the SDK's spans find their parent by it.
 */
export function startTracer({ words, version }: { words: boolean; version: string }): Tracer {
  diag.setLogger(
    {
      error: said => log('warn', 'Traces could not be written.', { said }),
      warn: said => log('warn', 'Traces could not be written.', { said }),
      info() {},
      debug() {},
      verbose() {}
    },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true }
  )
  const ids = new OpenTelemetryIdGenerator()
  const batches = new BatchSpanProcessor(new OTLPTraceExporter())
  const provider = new NodeTracerProvider({
    idGenerator: ids,
    sampler: samplerByTrace(),
    spanProcessors: [withoutWords(batches, { words, version })]
  })
  provider.register({ propagator: null })
  trace.disable()
  const tracer = provider.getTracer('waystation', version)
  const telemetry = new OpenTelemetry({ tracer })
  registerTelemetry(telemetry)

  /** A span that is over, at its own place. */
  const write = (
    name: string,
    place: SpanContext,
    parent: SpanContext | undefined,
    more: { startTime: Date; endTime: Date; attributes: Attributes; links?: Link[]; failed?: boolean }
  ) => {
    const { startTime, endTime, attributes, links = [], failed = false } = more
    const within = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const span = ids.withIds({ traceId: place.traceId, spanId: place.spanId }, () =>
      tracer.startSpan(name, { startTime, attributes, links }, within)
    )
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }

  return {
    observer: {
      turn({ sessionId, agentId, turnId, model }) {
        const root = trace.setSpanContext(ROOT_CONTEXT, placeOfTurn(turnId))
        const about = attributesOf({ sessionId, agentId, turnId })
        let within = root
        let step: Span | undefined
        const end = (outcome: string, more: Attributes = {}) => {
          step?.setAttributes({ 'waystation.outcome': outcome, ...more })
          if (outcome !== 'committed') step?.setStatus({ code: SpanStatusCode.ERROR })
          step?.end()
          step = undefined
        }
        return {
          stepBegun(answered) {
            end('not committed')
            const attributes = { ...about, ...(model === undefined ? {} : { 'gen_ai.request.model': model }) }
            step = tracer.startSpan('step', { attributes, links: linksTo(answered, turnId) }, root)
            within = trace.setSpan(root, step)
          },
          ask: ask => context.with(within, ask),
          stepCommitted({ inputTokens, outputTokens, calls }) {
            end('committed', {
              'gen_ai.usage.input_tokens': inputTokens,
              'gen_ai.usage.output_tokens': outputTokens,
              'waystation.calls': calls
            })
          },
          async tool({ toolCallId, toolName }, run) {
            const attributes = { ...about, ...attributesOf({ toolCallId, toolName }) }
            const span = tracer.startSpan(`tool ${toolName}`, { attributes }, within)
            const result = await context.with(trace.setSpan(within, span), run)
            span.setAttribute('waystation.outcome', result.type)
            if (result.type === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
            span.end()
            return result
          },
          left: () => end('not committed')
        }
      },
      turnEnded({ startedAt, endedAt, steps, inputTokens, outputTokens, outcome, answered, ...turn }) {
        write('turn', placeOfTurn(turn.turnId), undefined, {
          startTime: new Date(startedAt),
          endTime: new Date(endedAt),
          links: linksTo(answered, turn.turnId),
          failed: outcome === 'failed',
          attributes: {
            ...attributesOf(turn),
            'waystation.outcome': outcome,
            'waystation.steps': steps,
            'gen_ai.usage.input_tokens': inputTokens,
            'gen_ai.usage.output_tokens': outputTokens
          }
        })
      },
      callSettled({ since, settledAt, state, kind, ...call }) {
        write(`wait ${call.toolName}`, placeOfWait(call), placeOfTurn(call.turnId), {
          startTime: new Date(since),
          endTime: new Date(settledAt),
          attributes: {
            ...attributesOf(call),
            'waystation.call.kind': kind,
            'waystation.outcome': state
          }
        })
      }
    },
    async stop() {
      // The exporter tries again for a while; a server that stops does not wait for that.
      const late = pause(stopMs, 'late', { ref: false })
      const gone = provider.shutdown().catch((error: unknown) => String(error))
      const fault = await Promise.race([gone, late])
      if (fault !== undefined) log('warn', 'Traces could not be written.', { said: fault })
      context.disable()
      diag.disable()
      const others = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.filter(one => one !== telemetry)
      globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = others
    }
  }
}

type Subject = { sessionId: string; agentId: string; turnId: string; toolCallId: string; toolName: string }

const names: Record<keyof Subject, string> = {
  sessionId: 'waystation.session.id',
  agentId: 'gen_ai.agent.id',
  turnId: 'waystation.turn.id',
  toolCallId: 'gen_ai.tool.call.id',
  toolName: 'gen_ai.tool.name'
}

const attributesOf = (subject: Partial<Subject>): Attributes =>
  Object.fromEntries(
    Object.entries(names).flatMap(([key, name]) => {
      const value = subject[key as keyof Subject]
      return value === undefined ? [] : [[name, value]]
    })
  )

/** To each wait that is over now, and to the turn that had opened its call; a turn does not point at itself. */
const linksTo = (answered: readonly AnsweredCall[], turnId: string): Link[] =>
  answered.flatMap(call => {
    const attributes = attributesOf({ toolCallId: call.toolCallId, turnId: call.turnId })
    const wait = { context: placeOfWait(call), attributes }
    return call.turnId === turnId ? [wait] : [{ context: placeOfTurn(call.turnId), attributes }, wait]
  })
