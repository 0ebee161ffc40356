import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

/**
 * Returns a model that is loaded at its first request. A failed load is tried again at the next request.
 *
 * @param prepare changes the options of each request
 */
export function lazyModel(
  provider: string,
  modelId: string,
  load: () => Promise<LanguageModelV4>,
  prepare: (options: LanguageModelV4CallOptions) => LanguageModelV4CallOptions
): LanguageModelV4 {
  let loading: Promise<LanguageModelV4> | undefined
  const model = () => {
    loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    })
    return loading
  }
  return {
    specificationVersion: 'v4',
    provider,
    modelId,
    // All files of a prompt contain their data, so no model has to load a URL.
    supportedUrls: {},
    doGenerate: async options => (await model()).doGenerate(prepare(options)),
    doStream: async options => (await model()).doStream(prepare(options))
  }
}
