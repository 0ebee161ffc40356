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
import { log } from '@waystation/base/log.ts'
import { registerTelemetry } from 'ai'
import type { AnsweredCall, Observer } from '#lib/kernel/ports/observer.ts'
import { samplerByTrace } from './sampler.ts'
import { turnSpanContext, waitSpanContext } from './trace-ids.ts'
import { withoutText } from './without-text.ts'

/** Time limit for sending the last spans at shutdown, in milliseconds. */
const stopMs = 2_000

/** An observer that writes traces. `stop` sends the last spans and ends it. */
export type Tracer = { observer: Pick<Observer, 'turn' | 'turnEnded' | 'callSettled'>; stop(): Promise<void> }

/**
 * Writes traces to the collector from the `OTEL_*` variables: turn → step → model call and tools. Each call to
 * a person or an external system has a span for its wait. A turn is one trace (`trace-ids.ts`). The process
 * that ends the turn writes its root with the database's times, so the root is complete even after a crash.
 * Load this module only if a collector is configured.
 *
 * No global tracer is registered: Next would use it to record request URLs, and those can contain capabilities.
 * The context manager is global, because the SDK's spans find their parent through it.
 */
export function startTracer({ words, version }: { words: boolean; version: string }): Tracer {
  diag.setLogger(
    {
      error: problem => log('warn', 'Traces could not be written.', { said: problem }),
      warn: problem => log('warn', 'Traces could not be written.', { said: problem }),
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
    spanProcessors: [withoutText(batches, { words, version })]
  })
  provider.register({ propagator: null })
  trace.disable()
  const tracer = provider.getTracer('waystation', version)
  const telemetry = new OpenTelemetry({ tracer })
  registerTelemetry(telemetry)

  /** Writes a finished span with the given IDs. */
  const write = (
    name: string,
    spanContext: SpanContext,
    parent: SpanContext | undefined,
    details: { startTime: Date; endTime: Date; attributes: Attributes; links?: Link[]; failed?: boolean }
  ) => {
    const { startTime, endTime, attributes, links = [], failed = false } = details
    const parentContext = parent === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, parent)
    const span = ids.withIds({ traceId: spanContext.traceId, spanId: spanContext.spanId }, () =>
      tracer.startSpan(name, { startTime, attributes, links }, parentContext)
    )
    if (failed) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(endTime)
  }

  return {
    observer: {
      turn({ sessionId, agentId, turnId, model }) {
        const root = trace.setSpanContext(ROOT_CONTEXT, turnSpanContext(turnId))
        const shared = attributesOf({ sessionId, agentId, turnId })
        let spanScope = root
        let step: Span | undefined
        const end = (outcome: string, more: Attributes = {}) => {
          step?.setAttributes({ 'waystation.outcome': outcome, ...more })
          if (outcome !== 'committed') step?.setStatus({ code: SpanStatusCode.ERROR })
          step?.end()
          step = undefined
        }
        return {
          stepStarted(answered) {
            end('not committed')
            const attributes = {
              ...shared,
              ...(model === undefined ? {} : { 'gen_ai.request.model': model })
            }
            step = tracer.startSpan('step', { attributes, links: linksTo(answered, turnId) }, root)
            spanScope = trace.setSpan(root, step)
          },
          ask: ask => context.with(spanScope, ask),
          stepCommitted({ inputTokens, outputTokens, cacheRead = 0, cacheWrite = 0, calls }) {
            end('committed', {
              'gen_ai.usage.input_tokens': inputTokens,
              'gen_ai.usage.output_tokens': outputTokens,
              'gen_ai.usage.cache_read.input_tokens': cacheRead,
              'gen_ai.usage.cache_creation.input_tokens': cacheWrite,
              'waystation.calls': calls
            })
          },
          async tool({ toolCallId, toolName }, run) {
            const attributes = { ...shared, ...attributesOf({ toolCallId, toolName }) }
            const span = tracer.startSpan(`tool ${toolName}`, { attributes }, spanScope)
            const result = await context.with(trace.setSpan(spanScope, span), run)
            span.setAttribute('waystation.outcome', result.type)
            if (result.type === 'error') span.setStatus({ code: SpanStatusCode.ERROR })
            span.end()
            return result
          },
          released: () => end('not committed')
        }
      },
      turnEnded({ startedAt, endedAt, steps, inputTokens, outputTokens, outcome, answered, ...turn }) {
        write('turn', turnSpanContext(turn.turnId), undefined, {
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
        write(`wait ${call.toolName}`, waitSpanContext(call), turnSpanContext(call.turnId), {
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
      // The exporter retries for a while, and a stopping server does not wait for that.
      const timeout = pause(stopMs, 'late', { ref: false })
      const shutdown = provider.shutdown().catch((error: unknown) => String(error))
      const problem = await Promise.race([shutdown, timeout])
      if (problem !== undefined) log('warn', 'Traces could not be written.', { said: problem })
      context.disable()
      diag.disable()
      const others = globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.filter(
        integration => integration !== telemetry
      )
      globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = others
    }
  }
}

type Subject = { sessionId: string; agentId: string; turnId: string; toolCallId: string; toolName: string }

const attributeNames: Record<keyof Subject, string> = {
  sessionId: 'waystation.session.id',
  agentId: 'gen_ai.agent.id',
  turnId: 'waystation.turn.id',
  toolCallId: 'gen_ai.tool.call.id',
  toolName: 'gen_ai.tool.name'
}

const attributesOf = (subject: Partial<Subject>): Attributes =>
  Object.fromEntries(
    Object.entries(attributeNames).flatMap(([key, name]) => {
      const value = subject[key as keyof Subject]
      return value === undefined ? [] : [[name, value]]
    })
  )

/** Returns links to each wait that has ended, and to the turn that opened the call unless it is this turn. */
const linksTo = (answered: readonly AnsweredCall[], turnId: string): Link[] =>
  answered.flatMap(call => {
    const attributes = attributesOf({ toolCallId: call.toolCallId, turnId: call.turnId })
    const wait = { context: waitSpanContext(call), attributes }
    return call.turnId === turnId ? [wait] : [{ context: turnSpanContext(call.turnId), attributes }, wait]
  })
