import { ModelNotConfigured, type ModelProvider } from '#lib/models/provider.ts'
import { demoModel } from '#packages/demo-model/src/index.ts'

/** The rule-based demonstration: needs no key and reaches nothing. */
export const demoProvider: ModelProvider = {
  name: 'demo',
  model(modelId) {
    if (modelId !== 'demo')
      throw new ModelNotConfigured(`There is no demo model "${modelId}". Use demo/demo.`)
    return demoModel()
  },
  // It says what they are, and that it cannot tell more.
  takes: () => ({ images: true, documents: true })
}
