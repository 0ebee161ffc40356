import { demoModel } from '@waystation/demo-model'
import { ModelNotConfigured, type ModelProvider } from '#lib/models/provider.ts'

/** The rule-based demo model. It needs no key and sends no requests. */
export const demoProvider: ModelProvider = {
  name: 'demo',
  title: 'Demo model',
  fields: [],
  models: ['demo'],
  async load(modelId) {
    if (modelId !== 'demo')
      throw new ModelNotConfigured(`There is no demo model "${modelId}". Use demo/demo.`)
    return demoModel()
  },
  // The demo model accepts all files, but only reports their type.
  takes: () => ({ images: true, documents: true })
}
