import { resolve } from 'node:path'
import { isLoopback } from '@waystation/base/is-loopback.ts'
import { KnownError } from '@waystation/base/known-error.ts'
import type { Level } from '@waystation/base/log.ts'
import type { ConcurrencyKind, RateLimitKind } from '#lib/kernel/ctx.ts'
import { Settings } from './settings.ts'
import { readSignIn, type SignIn } from './sign-in-providers.ts'
import { storedSecret } from './stored-secret.ts'

/** Thrown for invalid settings. The message lists all errors, each with the variable's name and what to do. */
export class BadSettings extends KnownError {
  static override readonly kind: string = 'BadSettings'

  constructor(errors: string[]) {
    super(`The settings are invalid:\n${errors.map(error => `  - ${error}`).join('\n')}`)
  }
}

/** The settings of a process, validated and with defaults. */
export type Env = {
  port: number
  /** The address the server listens on. */
  host: string
  /** Unset: an embedded Postgres under `dataDir`. */
  databaseUrl?: string
  /** Absolute. */
  dataDir: string
  /** The public origin, without a trailing slash. If `port` is 0, it uses the port that was assigned. */
  url: string
  /** An admin API key of the default workspace. */
  apiKey?: string
  /** True only on a server that other machines cannot reach. A printed link then signs in as the local owner. */
  local: boolean
  authSecret: string
  signIn: SignIn[]
  /** Keys that encrypt secrets, 32 bytes in base64, newest first. Never empty. */
  vaultKeys: string[]
  /** The model that `default` means: `provider/model`, or the ID of an OpenAI model. */
  defaultModel?: string
  /** Private hosts, `host:port` or CIDR ranges that outgoing requests can reach. */
  egressAllow: string[]
  /** Proxies whose `X-Forwarded-For` header is trusted: IP addresses and CIDR ranges. */
  trustedProxies: string[]
  /** Requests per minute. 0: no limit. */
  limits: Record<RateLimitKind, number>
  /** How many can be open at once in this process. 0: no limit. */
  maxConcurrent: Record<ConcurrencyKind, number>
  /** Limits of attached files: bytes per file, files per message, bytes per session, and bytes per prompt. */
  files: { bytes: number; perMessage: number; sessionBytes: number; promptBytes: number }
  /** Time limit for the model to write a summary (001-17). */
  summarySeconds: number
  /** An ES module that redacts text before it is stored. Absolute path. */
  redact?: string
  /** A folder of in-process plugins. Absolute path. */
  plugins?: string
  /** A folder of tools. Absolute path. */
  tools?: string
  /** True during `npm run dev`: changed tools are loaded again. */
  development: boolean
  /** A file that lists the programs that can run as MCP servers. Absolute path. */
  mcpStdio?: string
  /** A folder of workspace files. Absolute path. */
  workspaces?: string
  /**
   * The variables that workspace files and model providers can read. Those of the server itself are left out.
   */
  environment: Readonly<Record<string, string | undefined>>
  /** A folder of programs that can be started as gRPC plugins. Absolute path. */
  pluginFolder?: string
  /** How plugins on other machines reach this process: host name and port range (`last` is included). */
  platformHost?: { name: string; ports: { first: number; last: number } }
  /** True if agents can run scripts in a sandbox. Each script needs approval (`zx-script`). */
  zx: boolean
  redisUrl?: string
  role: 'all' | 'web' | 'worker'
  /** The lowest level that is logged. */
  logLevel: Level
  /** Sets whether traces are written, and whether they include the text of users and models. */
  traces: 'off' | 'without words' | 'with words'
}

/** Variables that no plugin may receive. */
export const serverVariable = /^(WAYSTATION_|AUTH_|DATABASE_URL$|REDIS_URL$)/

/**
 * Reads the settings. Call it once when a process starts. Throws `BadSettings`. In local mode, missing secrets are
 * created and stored in the data directory. Otherwise they are required, because several machines share them.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const variables = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const { data: settings, error } = Settings.safeParse(variables)
  if (error) throw new BadSettings(error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`))
  const errors: string[] = []
  const signIn = readSignIn(variables, errors)
  if (errors.length > 0) throw new BadSettings(errors)
  const local = decideLocal(settings, signIn)
  const dataDir = resolve(settings.WAYSTATION_DATA_DIR)
  if (!local) demandSecrets(settings)
  return {
    port: settings.PORT,
    host: settings.HOST,
    databaseUrl: settings.DATABASE_URL,
    dataDir,
    url: settings.WAYSTATION_URL ?? `http://localhost:${settings.PORT}`,
    apiKey: settings.WAYSTATION_API_KEY,
    local,
    authSecret: settings.AUTH_SECRET ?? storedSecret(dataDir, 'auth-secret'),
    signIn,
    vaultKeys: settings.WAYSTATION_VAULT_KEY?.length
      ? settings.WAYSTATION_VAULT_KEY
      : [storedSecret(dataDir, 'vault-key')],
    defaultModel: settings.WAYSTATION_DEFAULT_MODEL,
    egressAllow: settings.WAYSTATION_EGRESS_ALLOW,
    trustedProxies: settings.WAYSTATION_TRUSTED_PROXIES,
    limits: {
      key: settings.WAYSTATION_LIMIT_KEY,
      subject: settings.WAYSTATION_LIMIT_SUBJECT,
      callback: settings.WAYSTATION_LIMIT_CALLBACK,
      openCall: settings.WAYSTATION_LIMIT_OPEN_CALL,
      accountRequest: settings.WAYSTATION_LIMIT_ACCOUNT_REQUEST,
      answer: settings.WAYSTATION_LIMIT_ANSWER,
      signIn: settings.WAYSTATION_LIMIT_SIGN_IN,
      unauthenticated: settings.WAYSTATION_LIMIT_UNAUTHENTICATED,
      outOfBand: settings.WAYSTATION_LIMIT_OUT_OF_BAND
    },
    maxConcurrent: {
      tokenStream: settings.WAYSTATION_STREAMS_TOKEN,
      subjectStream: settings.WAYSTATION_STREAMS_SUBJECT,
      memberStream: settings.WAYSTATION_STREAMS_MEMBER,
      keyStream: settings.WAYSTATION_STREAMS_KEY,
      stream: settings.WAYSTATION_STREAMS_PROCESS,
      export: settings.WAYSTATION_EXPORTS,
      linkRequest: settings.WAYSTATION_REQUESTS_LINK,
      keyRequest: settings.WAYSTATION_REQUESTS_KEY
    },
    files: {
      bytes: settings.WAYSTATION_FILE_BYTES,
      perMessage: settings.WAYSTATION_FILES_PER_MESSAGE,
      sessionBytes: settings.WAYSTATION_SESSION_FILE_BYTES,
      promptBytes: settings.WAYSTATION_PROMPT_FILE_BYTES
    },
    summarySeconds: settings.WAYSTATION_SUMMARY_SECONDS,
    redact: settings.WAYSTATION_REDACT && resolve(settings.WAYSTATION_REDACT),
    plugins: settings.WAYSTATION_PLUGINS && resolve(settings.WAYSTATION_PLUGINS),
    tools: settings.WAYSTATION_TOOLS && resolve(settings.WAYSTATION_TOOLS),
    development: variables.NODE_ENV === 'development',
    mcpStdio: settings.WAYSTATION_MCP_STDIO && resolve(settings.WAYSTATION_MCP_STDIO),
    environment: Object.fromEntries(Object.entries(variables).filter(([name]) => !serverVariable.test(name))),
    workspaces: settings.WAYSTATION_WORKSPACES && resolve(settings.WAYSTATION_WORKSPACES),
    pluginFolder: settings.WAYSTATION_PLUGIN_FOLDER && resolve(settings.WAYSTATION_PLUGIN_FOLDER),
    platformHost: settings.WAYSTATION_PLATFORM_HOST,
    zx: settings.WAYSTATION_ZX,
    redisUrl: settings.REDIS_URL,
    role: settings.WAYSTATION_ROLE,
    logLevel: settings.WAYSTATION_LOG_LEVEL,
    traces: wantsTraces(variables)
      ? settings.WAYSTATION_TRACE_CONTENT
        ? 'with words'
        : 'without words'
      : 'off'
  }
}

/** True if OpenTelemetry's own variables set an endpoint for traces, and do not turn them off. */
const wantsTraces = (variables: Record<string, string | undefined>): boolean =>
  variables.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  variables.OTEL_TRACES_EXPORTER !== 'none' &&
  (variables.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? variables.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined

/**
 * Decides whether the server runs in local mode, which is for one user on one machine. The server must listen on
 * loopback, and no setting can publish it. It cannot detect a forwarder to its port, so signing in needs a printed
 * link. Throws `BadSettings` if local mode is set but not possible.
 */
function decideLocal(settings: Settings, signIn: SignIn[]) {
  const published = settings.WAYSTATION_URL && !isLoopback(new URL(settings.WAYSTATION_URL).hostname)
  const obstacle =
    (signIn.length > 0 && `a sign-in provider is set (AUTH_${signIn[0]?.provider.toUpperCase()}_ID)`) ||
    (!isLoopback(settings.HOST) && `HOST=${settings.HOST} can be reached from other machines`) ||
    (published && `WAYSTATION_URL=${settings.WAYSTATION_URL} is not a loopback address`)
  if (settings.WAYSTATION_LOCAL && obstacle)
    throw new BadSettings([`WAYSTATION_LOCAL cannot be on while ${obstacle}. Unset one of the two.`])
  return settings.WAYSTATION_LOCAL ?? !obstacle
}

function demandSecrets({ AUTH_SECRET, WAYSTATION_VAULT_KEY }: Settings) {
  const instruction = 'Create one with: openssl rand -base64 32'
  const errors = []
  if (!AUTH_SECRET)
    errors.push(`AUTH_SECRET is required outside local mode, to encrypt sign-in cookies. ${instruction}`)
  if (!WAYSTATION_VAULT_KEY?.length)
    errors.push(
      `WAYSTATION_VAULT_KEY is required outside local mode, to encrypt stored secrets. Store it safely. ${instruction}`
    )
  if (errors.length > 0) throw new BadSettings(errors)
}
