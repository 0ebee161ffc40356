import { acceptsImages } from '#lib/models/accepts-images.ts'
import { apiKey, baseUrl } from '#lib/models/fields.ts'
import type { ModelProvider } from '#lib/models/provider.ts'
import { selfContained } from './openai.ts'

/** OpenAI models in Microsoft Azure. The model ID is the name of a deployment. */
export const azureProvider: ModelProvider = {
  name: 'azure',
  title: 'Azure OpenAI',
  fields: [
    apiKey('AZURE_API_KEY'),
    {
      name: 'resourceName',
      label: 'Resource name',
      secret: false,
      required: false,
      variable: 'AZURE_RESOURCE_NAME',
      placeholder: 'my-resource'
    },
    {
      ...baseUrl('AZURE_BASE_URL', 'https://my-resource.openai.azure.com/openai'),
      hint: 'Instead of the resource name.'
    }
  ],
  models: [],
  check({ resourceName, baseUrl }) {
    if (baseUrl !== undefined) return undefined
    if (resourceName === undefined) return 'Azure needs a resource name or a base URL.'
    return /^[a-z0-9-]+$/i.test(resourceName)
      ? undefined
      : 'The resource name can only have letters, digits and "-".'
  },
  async load(modelId, { apiKey, resourceName = '', baseUrl: baseURL }, fetch) {
    const { createAzure } = await import('@ai-sdk/azure')
    return createAzure({ apiKey, resourceName, baseURL, fetch })(modelId)
  },
  takes: modelId => ({ images: acceptsImages(modelId), documents: acceptsImages(modelId) }),
  options: () => ({ azure: selfContained })
}
