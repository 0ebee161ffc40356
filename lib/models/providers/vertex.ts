import type { SharedV4ProviderOptions } from '@ai-sdk/provider'
import { urlPart, urlPartProblem } from '#lib/models/fields.ts'
import { markCached } from '#lib/models/mark-cached.ts'
import { withoutBlankTexts } from '#lib/models/own-history.ts'
import { ModelNotConfigured, type ModelProvider, type ProviderValues } from '#lib/models/provider.ts'
import { bindsThinking, thinkingOf } from '#lib/models/thinking-binding.ts'
import { cacheMark, claudeBudget } from './anthropic.ts'
import { isThinking } from './google.ts'

/** Gemini and Claude models through Google Cloud. The names of Claude models start with `claude-`. */
export const vertexProvider: ModelProvider = {
  name: 'vertex',
  title: 'Google Vertex AI',
  fields: [
    urlPart('project', 'Project', 'GOOGLE_VERTEX_PROJECT', 'my-project'),
    urlPart('location', 'Location', 'GOOGLE_VERTEX_LOCATION', 'europe-west1'),
    {
      name: 'credentials',
      label: 'Service account key (JSON)',
      secret: true,
      required: true,
      hint: 'The content of the file that Google Cloud creates for a service account.'
    }
  ],
  models: ['gemini-3.8-flash', 'gemini-4-argon', 'claude-sonnet-5-5', 'claude-opus-5-5'],
  check({ project, location, credentials }, isServer) {
    const problem = urlPartProblem('The project', project) ?? urlPartProblem('The location', location)
    if (problem !== undefined || (isServer && credentials === undefined)) return problem
    return accountOf(credentials) === undefined
      ? 'The service account key needs the fields client_email and private_key.'
      : undefined
  },
  async load(modelId, values, fetch, isServer) {
    const { project, location } = values
    const googleAuthOptions = authOptions(values, isServer)
    // An empty key keeps the package from reading one from the environment.
    const options = { project, location, googleAuthOptions, apiKey: '', fetch }
    if (isClaude(modelId)) {
      const { createGoogleVertexAnthropic } = await import('@ai-sdk/google-vertex/anthropic')
      return createGoogleVertexAnthropic(options)(modelId)
    }
    const { createGoogleVertex } = await import('@ai-sdk/google-vertex')
    return createGoogleVertex(options)(modelId)
  },
  takes: () => ({ images: true, documents: true }),
  options(modelId, call): SharedV4ProviderOptions {
    if (bindsThinking(modelId)) return { anthropic: thinkingOf(call) }
    return isThinking(modelId) ? { googleVertex: { thinkingConfig: { includeThoughts: true } } } : {}
  },
  reasoningBudget: (budgetTokens, modelId): SharedV4ProviderOptions =>
    isClaude(modelId)
      ? claudeBudget(budgetTokens, modelId)
      : { googleVertex: { thinkingConfig: { thinkingBudget: budgetTokens } } },
  metadata: modelId => (isClaude(modelId) ? ['anthropic'] : ['googleVertex', 'vertex']),
  prepare: (prompt, modelId) =>
    isClaude(modelId) ? markCached(withoutBlankTexts(prompt), cacheMark) : prompt
}

const isClaude = (modelId: string) => modelId.startsWith('claude-')

type Account = { client_email: string; private_key: string }

/**
 * Returns the account and its key. Other kinds of credentials are not accepted: they can name files, programs and URLs
 * that Google's library would use.
 */
function accountOf(json = ''): Account | undefined {
  try {
    const { client_email, private_key } = JSON.parse(json) as Partial<Account>
    return typeof client_email === 'string' && typeof private_key === 'string'
      ? { client_email, private_key }
      : undefined
  } catch {
    return undefined
  }
}

/** Without a key, the server uses the credentials of its machine. They belong to the operator, not to a workspace. */
function authOptions({ credentials }: ProviderValues, isServer: boolean) {
  const account = accountOf(credentials)
  if (account === undefined && !isServer)
    throw new ModelNotConfigured('Google Vertex AI needs a service account key.')
  return account === undefined ? {} : { credentials: account }
}
