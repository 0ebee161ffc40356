import { ToolError } from '@waystation/base/known-error.ts'
import { z } from 'zod'
import { jsonOf, maxResponseBytes, validateShape } from '#lib/tools/service-response.ts'
import type { Tool, ToolRun } from '#lib/tools/tool.ts'
import { fetchFor } from './fetch-as.ts'

/** Rejects `.` and `..`: they would lead to another URL than the one shown to the approver. */
const hasNoDots = (path: string): boolean => !path.split('/').some(part => part === '.' || part === '..')

/** `owner/name`. */
const Repository = z
  .string()
  .max(200)
  .regex(/^[\w.-]+\/[\w.-]+$/, 'write it as owner/name')
  .refine(hasNoDots, 'write it as owner/name')

const Issue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  url: z.string(),
  repository: z.string(),
  author: z.string().optional()
})

const Search = z.strictObject({
  query: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .describe('A GitHub search: words, and qualifiers such as repo:owner/name is:open.'),
  limit: z.int().min(1).max(50).default(10)
})
const Found = z.object({ total: z.int(), issues: z.array(Issue) })

/**
 * The tool that searches issues and pull requests that the account can see (REST API, "search issues and pull
 * requests").
 */
export const githubSearchIssues: Tool<z.infer<typeof Search>, z.infer<typeof Found>> = {
  name: 'github-search-issues',
  description: 'Search issues and pull requests on GitHub that the connected account can see.',
  input: Search,
  output: Found,
  where: 'server',
  title: ({ query }) => `Search GitHub issues: ${query}`,
  repeatable: true,
  async execute({ query, limit }, run) {
    const fields = new URLSearchParams({ q: query, per_page: String(limit) })
    const result = validateShape('GitHub', GitHubSearch, await ask(run, `search/issues?${fields}`))
    return { total: result.total_count, issues: result.items.map(issueOf) }
  }
}

const File = z.strictObject({
  repository: Repository,
  path: z.string().min(1).max(1000).refine(hasNoDots, 'must be a path without . and ..'),
  ref: z.string().max(200).optional().describe('A branch, tag or commit. Default: the default branch.')
})
const Text = z.object({ path: z.string(), text: z.string(), truncated: z.boolean() })

/** The maximum length of a file's text for the model, in characters. */
const maxChars = 100_000

/** The tool that reads a text file of a repository (REST API, "get repository content", raw media type). */
export const githubReadFile: Tool<z.infer<typeof File>, z.infer<typeof Text>> = {
  name: 'github-read-file',
  description: 'Read a text file from a GitHub repository that the connected account can see.',
  input: File,
  output: Text,
  where: 'server',
  title: ({ repository, path }) => `Read ${repository}/${path}`,
  repeatable: true,
  async execute({ repository, path, ref }, run) {
    const contentPath = `repos/${repository}/contents/${path.split('/').map(encodeURIComponent).join('/')}`
    const refQuery = ref === undefined ? '' : `?${new URLSearchParams({ ref })}`
    const response = await fetchFor(run)('github')(contentPath + refQuery, {
      headers: { ...headers, accept: 'application/vnd.github.raw+json' },
      maxBytes: maxResponseBytes
    })
    return { path, ...textOfFile(path, response) }
  }
}

/**
 * Returns a file's text, truncated for the model. Throws `ToolError` if the request failed or the file is not
 * text.
 */
export function textOfFile(path: string, response: Parameters<typeof jsonOf>[1]) {
  if (response.status >= 300) jsonOf('GitHub', response)
  const text = response.text()
  if (text.includes('\0')) throw new ToolError(`${path} is not a text file.`)
  return { text: text.slice(0, maxChars).toWellFormed(), truncated: text.length > maxChars }
}

const NewIssue = z.strictObject({
  repository: Repository,
  title: z.string().trim().min(1).max(256),
  body: z.string().max(60_000).default('')
})

/** The tool that opens an issue, after a user has approved it (REST API, "create an issue"). */
export const githubOpenIssue: Tool<z.infer<typeof NewIssue>, z.infer<typeof Issue>> = {
  name: 'github-open-issue',
  description: 'Open an issue in a GitHub repository as the connected account.',
  input: NewIssue,
  output: Issue,
  where: 'server',
  title: ({ repository, title }) => `Open an issue in ${repository}: ${title}`,
  approval: 'ask',
  async execute({ repository, title, body }, run) {
    const init = {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ title, body })
    }
    return issueOf(
      validateShape(
        'GitHub',
        GitHubIssue,
        await ask(run, `repos/${repository}/issues`, init),
        'The issue can exist.'
      )
    )
  }
}

const headers = { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' }

type Init = { method?: string; headers?: Record<string, string>; body?: string }

const ask = async (run: ToolRun, path: string, init: Init = {}): Promise<unknown> => {
  const response = await fetchFor(run)('github')(path, {
    ...init,
    headers: { ...headers, ...init.headers },
    maxBytes: maxResponseBytes
  })
  return jsonOf('GitHub', response)
}

const GitHubIssue = z.object({
  number: z.int(),
  title: z.string(),
  state: z.string(),
  html_url: z.string(),
  user: z.object({ login: z.string() }).nullish()
})
const GitHubSearch = z.object({ total_count: z.int(), items: z.array(GitHubIssue) })

/** Takes the repository from the URL: `https://github.com/owner/name/issues/1`. */
const issueOf = ({ number, title, state, html_url: url, user }: z.infer<typeof GitHubIssue>) => ({
  number,
  title,
  state,
  url,
  repository: new URL(url).pathname.split('/').slice(1, 3).join('/'),
  ...(user ? { author: user.login } : {})
})
