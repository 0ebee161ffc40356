import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { apiKey, urlPart, urlPartProblem } from '#lib/models/fields.ts'
import { markCached } from '#lib/models/mark-cached.ts'
import { withoutBlankTexts } from '#lib/models/own-history.ts'
import type { ModelProvider, ProviderSetting } from '#lib/models/provider.ts'
import { bedrockThinking, bindsThinking, decidesThinking } from '#lib/models/thinking-binding.ts'

const credential = (name: string, label: string, variable: string): ProviderSetting => ({
  name,
  label,
  secret: true,
  required: false,
  variable
})

/** China and Europe's sovereign cloud have their own domains. */
const domains: Readonly<Record<string, string>> = { cn: 'amazonaws.com.cn', eusc: 'amazonaws.eu' }

const endpointOf = (region = '') =>
  `https://bedrock-runtime.${region}.${domains[region.split('-', 1)[0]!] ?? 'amazonaws.com'}`

/** Models of several makers through Amazon Bedrock, with a Bedrock API key or with AWS credentials. */
export const bedrockProvider: ModelProvider = {
  name: 'bedrock',
  title: 'Amazon Bedrock',
  fields: [
    urlPart('region', 'Region', 'AWS_REGION', 'us-east-1'),
    {
      ...apiKey('AWS_BEARER_TOKEN_BEDROCK', false),
      hint: 'Enter this key, or an access key with its secret.'
    },
    credential('accessKeyId', 'Access key ID', 'AWS_ACCESS_KEY_ID'),
    credential('secretAccessKey', 'Secret access key', 'AWS_SECRET_ACCESS_KEY'),
    {
      ...credential('sessionToken', 'Session token', 'AWS_SESSION_TOKEN'),
      hint: 'Only for temporary access keys.'
    }
  ],
  models: [
    'anthropic.claude-sonnet-5-5',
    'anthropic.claude-opus-5-5',
    'us.amazon.nova-premier-v1:0',
    'openai.gpt-oss-120b-1:0'
  ],
  check({ region, apiKey, accessKeyId, secretAccessKey }) {
    if (apiKey === undefined && (accessKeyId === undefined || secretAccessKey === undefined))
      return 'Bedrock needs an API key, or an access key ID with its secret access key.'
    return urlPartProblem('The region', region)
  },
  async load(modelId, values, fetch, isServer) {
    const { region, apiKey = '', accessKeyId, secretAccessKey, sessionToken } = values
    const { createAmazonBedrock } = await import('@ai-sdk/amazon-bedrock')
    // An empty key keeps the package from reading one from the environment.
    const provider = createAmazonBedrock({
      region,
      apiKey,
      accessKeyId,
      secretAccessKey,
      sessionToken,
      fetch,
      // The package would send a workspace's keys to the AWS_ENDPOINT_URL of the environment.
      ...(isServer ? {} : { baseURL: endpointOf(region) })
    })
    return provider(modelId)
  },
  takes: modelId => {
    const reads = /claude|nova/.test(modelId)
    return { images: reads, documents: reads }
  },
  reasoningBudget(budgetTokens, modelId): SharedV4ProviderOptions {
    if (bindsThinking(modelId)) return { bedrock: bedrockThinking({}, true) }
    const type = decidesThinking(modelId) ? { type: 'adaptive' } : { type: 'enabled', budgetTokens }
    return { bedrock: { reasoningConfig: type } }
  },
  options: (modelId, call): SharedV4ProviderOptions =>
    bindsThinking(modelId) ? { bedrock: bedrockThinking(call) } : {},
  setsReasoning: bindsThinking,
  metadata: () => ['bedrock', 'amazonBedrock'],
  prepare(prompt, modelId) {
    const texts = withoutBlankTexts(prompt)
    // Other models reject these marks.
    return /anthropic\.claude|amazon\.nova/.test(modelId)
      ? markCached(texts, { bedrock: { cachePoint: { type: 'default' } } })
      : texts
  }
}
