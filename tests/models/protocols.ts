import { onTestFinished, vi } from 'vitest'

/** How requests of a model provider reach a replay server. */
export type Protocol = {
  /** The model of a test. */
  model: string
  /** The provider's host, whose requests go to the replay server. Without it, `settings` name the server. */
  host?: string
  /** The path of the request that streams an answer. */
  path: string
  /** The settings of the environment that configure the provider. */
  settings: (url: string) => Record<string, string>
}

const compatible: Protocol = {
  model: 'openai/test-model',
  path: '/v1/chat/completions',
  settings: url => ({ OPENAI_BASE_URL: url })
}

/** The protocols of our providers, by the folders of their fixtures. */
export const protocols = {
  'openai-responses': {
    model: 'openai/gpt-6.1-sol',
    host: 'api.openai.com',
    path: '/v1/responses',
    settings: () => ({ OPENAI_API_KEY: 'none' })
  },
  'openai-chat': compatible,
  ollama: compatible,
  vllm: compatible,
  'llama-cpp': compatible,
  openrouter: compatible,
  anthropic: {
    model: 'anthropic/claude-sonnet-5-5',
    host: 'api.anthropic.com',
    path: '/v1/messages',
    settings: () => ({ ANTHROPIC_API_KEY: 'none' })
  },
  google: {
    model: 'google/gemini-3.8-flash',
    host: 'generativelanguage.googleapis.com',
    path: '/v1beta/models/gemini-3.8-flash:streamGenerateContent?alt=sse',
    settings: () => ({ GOOGLE_GENERATIVE_AI_API_KEY: 'none' })
  },
  bedrock: {
    model: 'bedrock/anthropic.claude-sonnet-5-5',
    host: 'bedrock-runtime.us-east-1.amazonaws.com',
    path: '/model/anthropic.claude-sonnet-5-5/converse-stream',
    settings: () => ({ AWS_REGION: 'us-east-1', AWS_BEARER_TOKEN_BEDROCK: 'none' })
  },
  mistral: {
    model: 'mistral/magistral-medium-latest',
    host: 'api.mistral.ai',
    path: '/v1/chat/completions',
    settings: () => ({ MISTRAL_API_KEY: 'none' })
  },
  cohere: {
    model: 'cohere/command-a-reasoning-08-2025',
    host: 'api.cohere.com',
    path: '/v2/chat',
    settings: () => ({ COHERE_API_KEY: 'none' })
  }
} satisfies Record<string, Protocol>

export type ProtocolName = keyof typeof protocols

export const protocolOf = (name: string): Protocol => protocols[name as ProtocolName]

/** Returns a `fetch` that sends requests for a provider's host to the replay server of that host. */
export function fetchFrom(urls: Readonly<Record<string, string>>, fetch = globalThis.fetch): typeof fetch {
  return (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const server = urls[url.host]
    return server === undefined ? fetch(input, init) : fetch(new URL(url.pathname + url.search, server), init)
  }
}

/** Sends the requests of all servers of this test to replay servers, by provider host. */
export function redirectFetch(urls: Readonly<Record<string, string>>): void {
  vi.stubGlobal('fetch', fetchFrom(urls))
  onTestFinished(() => void vi.unstubAllGlobals())
}
