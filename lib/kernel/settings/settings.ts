import ipaddr from 'ipaddr.js'
import { z } from 'zod'

const Port = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be a port (1 to 65535)')
  .max(65535, 'must be a port (1 to 65535)')
const Origin = z
  .string()
  .refine(isOrigin, 'must be an http(s) origin without a path, such as https://example.org')
  .transform(url => new URL(url).origin)
const Address = (protocol: RegExp, example: string) =>
  z.url({ protocol, error: `must be a URL such as ${example}` })
/** Requests per minute, or the number that can be open at once. 0: no limit. */
const Limit = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(0, 'must be at least 0')
  .max(1_000_000, 'must be at most 1000000')
/** A number of bytes that fits into memory and into a row. */
const Bytes = z.coerce
  .number('must be a number')
  .int('must be a whole number')
  .min(1024, 'must be at least 1024')
  .max(1024 ** 3, 'must be at most 1073741824')
const Switch = z.stringbool({ error: 'must be on or off' })
/** 32 bytes in base64 or hexadecimal. The result is base64. */
const Key = z
  .string()
  .transform(key => Buffer.from(key, /^[\da-f]{64}$/i.test(key) ? 'hex' : 'base64'))
  .refine(bytes => bytes.length === 32, 'must have keys of 32 bytes in base64 or hexadecimal')
  .transform(bytes => bytes.toString('base64'))
const list = (item: z.ZodType<string, string>) =>
  z
    .string()
    .transform(text =>
      text
        .split(',')
        .map(part => part.trim())
        .filter(Boolean)
    )
    .pipe(z.array(item))

/** `intranet`, `intranet:8080`, `10.1.2.3`, `[fd00::1]:80`, `10.0.0.0/8`. */
const Egress = z
  .string()
  .refine(
    entry =>
      ipaddr.isValidCIDR(entry) ||
      ipaddr.isValid(entry) ||
      /^([\w.-]+|\[[\da-f:]+\])(:\d{1,5})?$/i.test(entry),
    'has an entry that is not a host, host:port or CIDR range'
  )

/** `10.1.2.3`, `fd00::1`, `10.0.0.0/8`. */
const Network = z
  .string()
  .refine(
    entry => ipaddr.isValidCIDR(entry) || ipaddr.isValid(entry),
    'has an entry that is not an IP address or CIDR range'
  )

/** `waystation.internal:50100-50199`: a name or address, and ports. */
const Ports = z
  .string()
  .regex(
    /^([\w.-]+|\[[\da-f:]+\]):\d{1,5}-\d{1,5}$/i,
    'must be a host name with ports, such as waystation.internal:50100-50199'
  )
  .transform(text => {
    const [, name = '', first, last] = /^(.+):(\d+)-(\d+)$/.exec(text) ?? []
    return { name, ports: { first: Number(first), last: Number(last) } }
  })
  .refine(
    ({ ports: { first, last } }) => first >= 1 && first <= last && last <= 65535,
    'must have ports from 1 to 65535, the lower port first'
  )

/** All settings that are a single variable (`.env.example`). An empty variable is unset. */
export const Settings = z.object({
  PORT: Port.default(3000),
  HOST: z.string().default('127.0.0.1'),
  DATABASE_URL: Address(/^postgres(ql)?$/, 'postgres://user:password@host/database').optional(),
  WAYSTATION_DATA_DIR: z.string().default('.data'),
  WAYSTATION_URL: Origin.optional(),
  WAYSTATION_API_KEY: z.string().min(24, 'must have at least 24 characters').optional(),
  WAYSTATION_LOCAL: Switch.optional(),
  WAYSTATION_ROLE: z.enum(['all', 'web', 'worker'], 'must be all, web or worker').default('all'),
  WAYSTATION_VAULT_KEY: list(Key).optional(),
  WAYSTATION_EGRESS_ALLOW: list(Egress).default([]),
  WAYSTATION_TRUSTED_PROXIES: list(Network).default([]),
  WAYSTATION_REDACT: z.string().optional(),
  WAYSTATION_PLUGINS: z.string().optional(),
  WAYSTATION_TOOLS: z.string().optional(),
  WAYSTATION_MCP_STDIO: z.string().optional(),
  WAYSTATION_WORKSPACES: z.string().optional(),
  WAYSTATION_PLUGIN_FOLDER: z.string().optional(),
  WAYSTATION_PLATFORM_HOST: Ports.optional(),
  WAYSTATION_ZX: Switch.default(false),
  WAYSTATION_LOG_LEVEL: z
    .enum(['debug', 'info', 'warn', 'error'], 'must be debug, info, warn or error')
    .default('info'),
  WAYSTATION_TRACE_CONTENT: Switch.default(false),
  WAYSTATION_LIMIT_KEY: Limit.default(6000),
  WAYSTATION_LIMIT_SUBJECT: Limit.default(600),
  WAYSTATION_LIMIT_CALLBACK: Limit.default(6000),
  WAYSTATION_LIMIT_OPEN_CALL: Limit.default(60),
  WAYSTATION_LIMIT_ACCOUNT_REQUEST: Limit.default(60),
  WAYSTATION_LIMIT_ANSWER: Limit.default(60),
  WAYSTATION_LIMIT_SIGN_IN: Limit.default(60),
  WAYSTATION_LIMIT_UNAUTHENTICATED: Limit.default(600),
  WAYSTATION_LIMIT_OUT_OF_BAND: Limit.default(10),
  WAYSTATION_STREAMS_TOKEN: Limit.default(16),
  WAYSTATION_STREAMS_SUBJECT: Limit.default(64),
  WAYSTATION_STREAMS_MEMBER: Limit.default(64),
  WAYSTATION_STREAMS_KEY: Limit.default(2000),
  WAYSTATION_STREAMS_PROCESS: Limit.default(5000),
  WAYSTATION_EXPORTS: Limit.default(4),
  WAYSTATION_REQUESTS_LINK: Limit.default(200),
  WAYSTATION_REQUESTS_KEY: Limit.default(2000),
  WAYSTATION_FILE_BYTES: Bytes.max(64 * 1024 ** 2, 'must be at most 67108864').default(10 * 1024 ** 2),
  WAYSTATION_FILES_PER_MESSAGE: z.coerce
    .number('must be a number')
    .int('must be a whole number')
    .min(1, 'must be at least 1')
    .max(50, 'must be at most 50')
    .default(20),
  WAYSTATION_SESSION_FILE_BYTES: Bytes.default(200 * 1024 ** 2),
  WAYSTATION_PROMPT_FILE_BYTES: Bytes.default(20 * 1024 ** 2),
  WAYSTATION_SUMMARY_SECONDS: z.coerce
    .number('must be a number')
    .min(1, 'must be at least 1')
    .max(3600, 'must be at most 3600')
    .default(60),
  AUTH_SECRET: z.string().min(16, 'must have at least 16 characters').optional(),
  OPENAI_API_KEY: z.string().optional(),
  OPENAI_BASE_URL: Address(/^https?$/, 'https://api.openai.com/v1').optional(),
  WAYSTATION_DEFAULT_MODEL: z.string().max(200, 'must have at most 200 characters').optional(),
  REDIS_URL: Address(/^rediss?$/, 'redis://host:6379').optional()
})
export type Settings = z.infer<typeof Settings>

function isOrigin(text: string) {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`
}
