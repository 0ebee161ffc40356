import { type Sampler, TraceIdRatioBasedSampler } from '@opentelemetry/sdk-trace-node'

/**
 * Judges every span by its trace alone, so that a turn's spans are written all or none, though its root is written last,
 * by another process perhaps. Reads `OTEL_TRACES_SAMPLER` and `OTEL_TRACES_SAMPLER_ARG`; parents are ours always, so
 * the `parentbased_` ones mean the same as those without.
 */
export function samplerByTrace(environment: NodeJS.ProcessEnv = process.env): Sampler {
  const ratio = ratioOf(environment)
  const byTrace = new TraceIdRatioBasedSampler(ratio)
  return {
    shouldSample: (context, traceId) => byTrace.shouldSample(context, traceId),
    toString: () => `SamplerByTrace{${ratio}}`
  }
}

function ratioOf({ OTEL_TRACES_SAMPLER: name = '', OTEL_TRACES_SAMPLER_ARG: given }: NodeJS.ProcessEnv) {
  if (name.endsWith('always_off')) return 0
  const ratio = Number(given ?? 1)
  return name.endsWith('traceidratio') && ratio >= 0 && ratio <= 1 ? ratio : 1
}
