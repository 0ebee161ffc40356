import { type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/**
 * Samples each span by its trace ID alone, so that either all spans of a turn are exported or none. Its root is
 * written last, perhaps by another process. Reads `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`. All
 * parents are our own spans, so the `parentbased_` samplers mean the same as the others.
 */
export function samplerByTrace(environment: NodeJS.ProcessEnv = process.env): Sampler {
  const ratio = ratioOf(environment)
  const byTrace = new TraceIdRatioBasedSampler(ratio)
  return {
    shouldSample: (context, traceId) => byTrace.shouldSample(context, traceId),
    toString: () => `SamplerByTrace{${ratio}}`
  }
}

function ratioOf({ OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: ratioText }: NodeJS.ProcessEnv) {
  if (name.endsWith('always_off')) return 0
  const ratio = Number(ratioText ?? 1)
  return name.endsWith('traceidratio') && ratio >= 0 && ratio <= 1 ? ratio : 1
}
