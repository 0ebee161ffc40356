import { resolve } from 'node:path'
import type { Held, Limited } from '#lib/kernel/ctx.ts'
import { isLoopback } from '#lib/kernel/is-loopback.ts'
import { KnownError } from '#lib/kernel/known-error.ts'
import type { Level } from '#lib/kernel/log.ts'
import { keptSecret } from './kept-secret.ts'
import { Settings } from './settings.ts'
import { readSignIn, type SignIn } from './sign-in-ways.ts'

/** The settings could not be used. The message lists every fault, each with the variable's name and what to do. */
export class BadSettings extends KnownError {
  static override readonly kind: string = 'BadSettings'

  constructor(faults: string[]) {
    super(`The settings are invalid:\n${faults.map(fault => `  - ${fault}`).join('\n')}`)
  }
}

export type Env = {
  port: number
  /** The address the server listens on. */
  host: string
  /** Unset: an embedded Postgres under `dataDir`. */
  databaseUrl?: string
  /** Absolute. */
  dataDir: string
  /** The public origin, without a trailing slash; follows the true port when `port` is 0. */
  url: string
  /** An admin key of the default workspace. */
  apiKey?: string
  /** A printed link signs in as the local owner. True only on a server that nobody but this machine can reach. */
  local: boolean
  authSecret: string
  signIn: SignIn[]
  /** Keys that seal secrets, 32 bytes in base64, newest first; never empty. */
  vaultKeys: string[]
  openai?: { apiKey?: string; baseUrl?: string; model?: string }
  /** Hosts, `host:port` or CIDR ranges that outbound calls may reach although they are private. */
  egressAllow: string[]
  /** Whose `X-Forwarded-For` is believed: IP addresses and CIDR ranges. */
  trustedProxies: string[]
  /** Requests a minute, by whom or what they are counted. 0: no limit. */
  limits: Record<Limited, number>
  /** How many may be open at once in this process. 0: no limit. */
  most: Record<Held, number>
  /** Attached files: the bytes of one, how many go with a message, the bytes of a session's, and of those in a prompt. */
  files: { bytes: number; perMessage: number; sessionBytes: number; promptBytes: number }
  /** How long a model may take to sum up what leaves the prompt (001-17). */
  summarySeconds: number
  /** An ES module that redacts what is stored. Absolute. */
  redact?: string
  /** A folder of plugins. Absolute. */
  plugins?: string
  /** A file with the programs that may be run as MCP servers. Absolute. */
  mcpStdio?: string
  /** A folder of files that say what workspaces have. Absolute. */
  workspaces?: string
  /** A folder of programs that may be started as plugins in other languages. Absolute. */
  pluginFolder?: string
  /** How plugins on other machines reach this one: by which name, and on which ports, the last one included. */
  platformHost?: { name: string; ports: { first: number; last: number } }
  /** Whether agents may run scripts in a sandbox, each confirmed (`zx-script`). */
  zx: boolean
  redisUrl?: string
  role: 'all' | 'web' | 'worker'
  /** The least that is logged. */
  logLevel: Level
  /** Whether traces are written, and whether what people and models said stands in them. */
  traces: 'off' | 'without words' | 'with words'
}

/**
 * Reads the settings once, at the start of a process. Throws `BadSettings`. In local mode the secrets that nobody
 * gave are made once and kept in the data directory; otherwise they must be given, since several machines share them.
 */
export function readEnv(source: Record<string, string | undefined> = process.env): Env {
  const given = Object.fromEntries(Object.entries(source).filter(([, value]) => value?.trim()))
  const { data: settings, error } = Settings.safeParse(given)
  if (error) throw new BadSettings(error.issues.map(({ path, message }) => `${String(path[0])} ${message}.`))
  const faults: string[] = []
  const signIn = readSignIn(given, faults)
  if (faults.length > 0) throw new BadSettings(faults)
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
    authSecret: settings.AUTH_SECRET ?? keptSecret(dataDir, 'auth-secret'),
    signIn,
    vaultKeys: settings.WAYSTATION_VAULT_KEY?.length
      ? settings.WAYSTATION_VAULT_KEY
      : [keptSecret(dataDir, 'vault-key')],
    openai: readOpenAi(settings),
    egressAllow: settings.WAYSTATION_EGRESS_ALLOW,
    trustedProxies: settings.WAYSTATION_TRUSTED_PROXIES,
    limits: {
      key: settings.WAYSTATION_LIMIT_KEY,
      subject: settings.WAYSTATION_LIMIT_SUBJECT,
      callback: settings.WAYSTATION_LIMIT_CALLBACK,
      answer: settings.WAYSTATION_LIMIT_ANSWER,
      signIn: settings.WAYSTATION_LIMIT_SIGN_IN,
      unauthenticated: settings.WAYSTATION_LIMIT_UNAUTHENTICATED,
      outOfBand: settings.WAYSTATION_LIMIT_OUT_OF_BAND
    },
    most: {
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
    mcpStdio: settings.WAYSTATION_MCP_STDIO && resolve(settings.WAYSTATION_MCP_STDIO),
    workspaces: settings.WAYSTATION_WORKSPACES && resolve(settings.WAYSTATION_WORKSPACES),
    pluginFolder: settings.WAYSTATION_PLUGIN_FOLDER && resolve(settings.WAYSTATION_PLUGIN_FOLDER),
    platformHost: settings.WAYSTATION_PLATFORM_HOST,
    zx: settings.WAYSTATION_ZX,
    redisUrl: settings.REDIS_URL,
    role: settings.WAYSTATION_ROLE,
    logLevel: settings.WAYSTATION_LOG_LEVEL,
    traces: wantsTraces(given) ? (settings.WAYSTATION_TRACE_CONTENT ? 'with words' : 'without words') : 'off'
  }
}

/** OpenTelemetry's own variables: somewhere to send traces to, and nobody switched it off. */
const wantsTraces = (given: Record<string, string | undefined>): boolean =>
  given.OTEL_SDK_DISABLED?.toLowerCase() !== 'true' &&
  given.OTEL_TRACES_EXPORTER !== 'none' &&
  (given.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? given.OTEL_EXPORTER_OTLP_ENDPOINT) !== undefined

/**
 * Local mode is for one person on one machine: the server listens on loopback, and no setting publishes it under another
 * name. It cannot see a forwarder to that port, which a sign-in link is for. Asked for where that is not so, it is refused.
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
  const make = 'Create one with: openssl rand -base64 32'
  const faults = []
  if (!AUTH_SECRET)
    faults.push(`AUTH_SECRET is required outside local mode, to encrypt sign-in cookies. ${make}`)
  if (!WAYSTATION_VAULT_KEY?.length)
    faults.push(
      `WAYSTATION_VAULT_KEY is required outside local mode, to encrypt stored secrets. Store it safely. ${make}`
    )
  if (faults.length > 0) throw new BadSettings(faults)
}

function readOpenAi({
  OPENAI_API_KEY: apiKey,
  OPENAI_BASE_URL: baseUrl,
  WAYSTATION_DEFAULT_MODEL: model
}: Settings) {
  return apiKey || baseUrl ? { apiKey, baseUrl, ...(model && { model }) } : undefined
}
